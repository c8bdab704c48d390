/** A file whose bytes are in the blob store or, if small, in its row. */
export interface StoredFile {
  /** Empty if the bytes are in the row. */
  blobKey: string;
  bytes?: Buffer | undefined;
  /** The file name as uploaded, in Unicode NFC. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  /** When it was stored; absent for a new file. */
  storedAt?: Date;
}
