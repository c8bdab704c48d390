import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-ranges.ts';

export interface WrittenBlob {
  /** Identifies the blob in this store. Chosen by the store, never derived from the caller's input. */
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

interface QuarantinedBlob {
  blobKey: string;
  /** Bytes. */
  size: number;
  /** When it was quarantined, rounded up to a day. */
  since: Date;
}

/** The blobs of a batch that were changed, and the error that stopped it, if any. */
export interface BatchResult {
  done: string[];
  failure?: unknown;
}

/** Keeps blobs that the database does not know until they are removed permanently. Reads still find them. */
export interface Quarantine {
  /** Moves blobs into quarantine. Skips those that are not in the store. */
  add(blobKeys: string[], at: Date): Promise<BatchResult>;

  /** Every blob in quarantine, in no particular order. */
  list(): AsyncIterable<QuarantinedBlob>;

  /** Moves blobs back into the store. Skips those that are not in quarantine. */
  restore(blobKeys: string[]): Promise<BatchResult>;

  /** Removes blobs permanently. Skips those that are not in quarantine. */
  remove(blobKeys: string[]): Promise<BatchResult>;
}

/** The id that a store and its database share. */
export interface Marker {
  /** The location of the store, for messages. */
  location: string;
  /** The settings that select the store, for messages. */
  settings: string;
  read(): Promise<string | undefined>;
  /** Writes the id durably if there is none. @returns the stored id */
  create(id: string): Promise<string>;
  /** Writes the id durably. */
  replace(id: string): Promise<void>;
}

export interface WriteOptions {
  /** Aborts the write and removes what was written. */
  signal?: AbortSignal;
  /** Maximum size in bytes. Default: no limit. */
  limit?: number;
  /** The key of a blob that is copied from another store. Default: a new one. */
  blobKey?: string;
}

/** The headers of a download that the store itself sends. */
export interface DownloadHeaders {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
}

/**
 * Stores the bytes of files. A blob is written once and never changed; its name and owner are in the database. The
 * row is written after the bytes, so a blob without a row is either new or orphaned: see `sweepBlobs`.
 */
export interface BlobStore {
  marker: Marker;
  quarantine: Quarantine;

  /**
   * Stores a stream durably. If this rejects, the bytes are removed and the source is destroyed.
   *
   * @throws BlobTooLarge if the source has more than `limit` bytes
   * @throws BlobsUnavailable if the store cannot write, for example because the disk is full
   * @throws the error of the source, or an AbortError
   */
  write(source: Readable, options?: WriteOptions): Promise<WrittenBlob>;

  /**
   * Opens a blob or a range of it, also in quarantine. The caller consumes the stream or destroys it.
   *
   * @throws BlobMissing if the blob does not exist or ends before the range
   */
  read(blobKey: string, range?: ByteRange): Promise<Readable>;

  /**
   * A URL of the store that serves a blob for a minute without other credentials. Absent if downloads go through the
   * platform.
   */
  downloadUrl?(blobKey: string, headers: DownloadHeaders): Promise<string>;

  /** Deletes a blob, but not from quarantine. Does nothing if it does not exist. */
  delete(blobKey: string): Promise<void>;

  /** Lists the blobs outside quarantine in no particular order. Blobs written or deleted meanwhile may be missing. */
  list(): AsyncIterable<ListedBlob>;

  /**
   * Deletes incomplete writes of crashed processes.
   *
   * @param olderThan keeps files that changed since then: a write in progress changes all the time
   * @returns the number of deleted files
   */
  collectUnfinished(olderThan: Date): Promise<number>;

  /**
   * Checks that the store is writable.
   *
   * @throws BlobsUnavailable
   */
  check(): Promise<void>;
}

const blobKeyPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function isBlobKey(text: string): boolean {
  return blobKeyPattern.test(text);
}

/** A row refers to a blob that is missing or incomplete in the store. Never the caller's error. */
export class BlobMissing extends Error {
  readonly blobKey: string;

  constructor(blobKey: string, problem = 'is not in the store', options?: ErrorOptions) {
    super(`The blob ${blobKey} ${problem}.`, options);
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

/** An operation of the store failed for the reason in `cause`. */
export class BlobsUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The blob store is unavailable: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'BlobsUnavailable';
  }
}

/** The bucket of an S3-compatible service. */
export interface S3Settings {
  bucket: string;
  /** The URL of the service; undefined: AWS. */
  endpoint: string | undefined;
  region: string;
  /** Undefined: from the environment, as the AWS SDK finds them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Precedes the keys of all objects. Empty, or ends with a slash. */
  prefix: string;
  /** Whether the bucket is in the path of URLs, not in their host name. */
  forcePathStyle: boolean;
  /** Whether signed URLs redirect to the service. */
  redirectsDownloads: boolean;
}
