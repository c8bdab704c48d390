export {
  type BatchResult,
  BlobMissing,
  type BlobStore,
  BlobsUnavailable,
  BlobTooLarge,
  type DownloadHeaders,
  type ListedBlob,
  type S3Settings,
  type WrittenBlob,
} from './blob-store.ts';
export { type ByteRange, byteRangeOf } from './byte-ranges.ts';
export { openLocalBlobs } from './local.ts';
export { openBlobs } from './open.ts';
export {
  isStoredJson,
  readStored,
  type StoredFile,
  type StoredJson,
  storedJson,
  writeText,
} from './stored-file.ts';
