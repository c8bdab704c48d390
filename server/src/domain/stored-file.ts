/** A file whose bytes are in the blob store, or, a few of them, in its row. */
export interface StoredFile {
  /** Empty where the bytes are in the row. */
  blobKey: string;
  bytes?: Buffer | undefined;
  /** The file's name as the uploader gave it, in Unicode NFC. */
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
  /** When it was stored; absent for a file that has just arrived. */
  storedAt?: Date;
}
