export { fromPath, saveTo } from '#files';
export { ApiError, type ErrorCode, type ErrorItem } from './api-error.ts';
export { type ApiKey, apiKey } from './api-key.ts';
export type { Token, TokenRequest, TokenSource } from './authorization.ts';
export type { Answer, Call, CallOptions, ParseAs } from './calls.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export type { components, operations, paths, webhooks } from './contract.ts';
export { type Download, type DownloadOptions, downloadAttachment, downloadResource } from './downloads.ts';
export { ExecutionEndedError, type WaitOptions, waitForResult } from './executions.ts';
export type { ByteStream, FileSource } from './file-source.ts';
export { toFormData } from './form-data.ts';
export { ConnectionError, TimeoutError } from './interruption.ts';
export type { Patience } from './patience.ts';
export * from './status-errors.ts';
export { UnreadableAnswerError } from './unreadable-answer.ts';
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
  type WebhookRefusal,
  WebhookVerificationError,
  webhookVerifier,
} from './webhooks.ts';
