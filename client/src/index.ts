export { fromPath, saveTo } from '#files';
export { type ApiKey, apiKey } from './api-key.ts';
export { createClient } from './client.ts';
export type {
  Client,
  ClientOptions,
  Hooks,
  Retry,
  Token,
  TokenRequest,
  TokenSource,
} from './client-types.ts';
export type * from './contract.ts';
export { type Download, type DownloadOptions, downloadAttachment, downloadResource } from './downloads.ts';
export {
  ApiError,
  ConnectionError,
  InvalidParameterError,
  ResponseParseError,
  TimeoutError,
} from './errors.ts';
export { ExecutionEndedError, type WaitOptions, waitForResult } from './executions.ts';
export type { ByteStream, FileSource } from './file-source.ts';
export { toFormData } from './form-data.ts';
export { eachItem, type ItemAt, type ListPath } from './lists.ts';
export type { Logger, LogLevel, LogOptions } from './logging.ts';
export type { Call, CallOptions, CallResult, ParseAs } from './operation-types.ts';
export type { RetryPolicy } from './retry-policy.ts';
export * from './status-errors.ts';
export { type DataOf, unwrap } from './unwrap.ts';
export {
  createAttachment,
  type RecordPath,
  type UploadOptions,
  type UploadProgress,
  uploadResource,
} from './uploads.ts';
export { type EachUserOptions, eachUser } from './users.ts';
export type { WebhookKeySource } from './webhook-keys.ts';
export {
  type IncomingHeaders,
  type VerifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
  type WebhookVerificationReason,
  webhookVerifier,
} from './webhooks.ts';
