import type { components } from './contract.ts';
import { isErrorBody } from './error-body.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

/** One thing that went wrong. */
export type ErrorItem = components['schemas']['ErrorItem'];

/** A documented list, which may grow in a minor version: no exhaustive `switch`, but a default by the status. */
export type ErrorCode = components['schemas']['ErrorCode'];

/**
 * A refusal or failure that the platform answered. Each status that the contract declares has a class of its own;
 * any other is an `ApiError` itself. Branch on the class or on `code`, never on the message.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The first reason; absent where the answer does not come from the platform (a proxy's page, say). */
  readonly code: ErrorCode | undefined;
  /** Names this occurrence; quote it when you ask for help. */
  readonly fingerprint: string | undefined;
  /** The `Request-Id` header; equal to the fingerprint. */
  readonly requestId: string | undefined;
  readonly errors: readonly ErrorItem[];
  /** How many seconds the platform asks to wait before a repeat, where it says so. */
  readonly retryAfter: number | undefined;
  /** The answer itself, for its headers (`Allow`, `RateLimit`); its body has been read. */
  readonly response: Response;

  constructor(response: Response, body: unknown) {
    const { fingerprint, errors } = isErrorBody(body) ? body : { fingerprint: undefined, errors: [] };
    const [first] = errors;
    super(
      first ? `${first.code}: ${first.message}` : `HTTP ${response.status} ${response.statusText}`.trim(),
    );
    const wait = retryAfterMilliseconds(response);
    this.status = response.status;
    this.code = first?.code;
    this.fingerprint = fingerprint || undefined;
    this.requestId = response.headers.get('Request-Id') ?? undefined;
    this.errors = errors;
    this.retryAfter = wait === undefined ? undefined : wait / 1000;
    this.response = response;
  }
}
