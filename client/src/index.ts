export type { components, operations, paths } from '../../generated/types.ts';
export { ApiError, type ErrorCode, type ErrorItem } from './api-error.ts';
export type { Token, TokenSource } from './authorization.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { toFormData } from './form-data.ts';
export { type DataOf, unwrap } from './unwrap.ts';
