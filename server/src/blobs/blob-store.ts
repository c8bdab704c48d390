import type { Readable } from 'node:stream';
import type { ByteRange } from '../domain/byte-ranges.ts';

/** What a blob turned out to be once all of it was written. */
export interface WrittenBlob {
  /** Names the blob in this store; chosen by the store, and made of nothing that a caller gave. */
  blobKey: string;
  /** Bytes. */
  size: number;
  sha256: Buffer;
}

export interface ListedBlob {
  blobKey: string;
  /** Bytes. */
  size: number;
  modifiedAt: Date;
}

export interface QuarantinedBlob {
  blobKey: string;
  /** Bytes. */
  size: number;
  /** When it was quarantined, rounded up to a day. */
  since: Date;
}

/** What became of a batch. A failure stops the rest of it; what was done before stays done. */
export interface BatchResult {
  done: string[];
  failure?: unknown;
}

/** Where blobs are kept that the database never knew, until they are removed for good. Reads still find them. */
export interface Quarantine {
  /** Moves blobs into quarantine. Those that are not in the store are skipped. */
  add(blobKeys: string[], at: Date): Promise<BatchResult>;

  /** Every blob in quarantine, in no particular order. */
  list(): AsyncIterable<QuarantinedBlob>;

  /** Moves blobs back into the store. Those that are not in quarantine are skipped. */
  restore(blobKeys: string[]): Promise<BatchResult>;

  /** Removes blobs from quarantine for good. Those that are not in quarantine are skipped. */
  remove(blobKeys: string[]): Promise<BatchResult>;
}

/** The id by which a store and a database know that they belong together. */
export interface Marker {
  /** The store that it marks, for messages. */
  place: string;
  read(): Promise<string | undefined>;
  /** Writes it durably unless there is one. @returns the id that is there then */
  create(id: string): Promise<string>;
  /** Writes it durably, whatever was there. */
  replace(id: string): Promise<void>;
}

export interface WriteOptions {
  /** Ends the write early; nothing is left behind. */
  signal?: AbortSignal;
  /** Bytes at most; without it there is no limit. */
  limit?: number;
}

/**
 * Where the bytes of files are. A blob is written once and never changed; what it is called and whose it is
 * stands in the database. Bytes come first and their row second, so a blob without a row is either very
 * young or nobody's: see `sweepBlobs`.
 */
export interface BlobStore {
  marker: Marker;
  quarantine: Quarantine;

  /**
   * Stores a stream. When this resolves the bytes survive a crash; when it rejects nothing of them is left,
   * and the source is destroyed.
   *
   * @throws BlobTooLarge when the source gives more than `limit` bytes
   * @throws BlobsUnavailable when the store cannot take it, such as a full disk
   * @throws whatever the source fails with, or an AbortError
   */
  write(source: Readable, options?: WriteOptions): Promise<WrittenBlob>;

  /**
   * Opens a blob, or a range of it, in quarantine or not. The caller consumes the stream or destroys it.
   *
   * @throws BlobMissing when there is no such blob, or when it ends before the range does
   */
  read(blobKey: string, range?: ByteRange): Promise<Readable>;

  /** Deletes a blob, but not from quarantine. One that is not there is as good as deleted. */
  delete(blobKey: string): Promise<void>;

  /** Every blob outside quarantine, in no order that means anything. One written or deleted meanwhile may be there or not. */
  list(): AsyncIterable<ListedBlob>;

  /**
   * Deletes what writes of processes that are gone have left unfinished.
   *
   * @param olderThan spares what has changed since; a write that is under way changes all the time
   * @returns how many there were
   */
  collectUnfinished(olderThan: Date): Promise<number>;

  /**
   * Resolves when the store can be written.
   *
   * @throws BlobsUnavailable
   */
  check(): Promise<void>;
}

/** A row names a blob that the store does not have, or not all of. Always a fault, never a caller's mistake. */
export class BlobMissing extends Error {
  readonly blobKey: string;

  constructor(blobKey: string, what = 'is not in the store', options?: ErrorOptions) {
    super(`The blob ${blobKey} ${what}.`, options);
    this.name = 'BlobMissing';
    this.blobKey = blobKey;
  }
}

export class BlobTooLarge extends Error {
  constructor(limit: number) {
    super(`More than ${limit} bytes.`);
    this.name = 'BlobTooLarge';
  }
}

/** The store cannot do what it was asked just now; its `cause` says why. */
export class BlobsUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The blob store is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'BlobsUnavailable';
  }
}
