import type { components } from './contract.ts';
import { retryAfterMilliseconds } from './retry-after.ts';

/** One thing that went wrong. */
export type ErrorItem = components['schemas']['ErrorItem'];

/** The closed list of reasons; the contract's errors guide has an entry for each. */
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
    this.fingerprint = fingerprint;
    this.requestId = response.headers.get('Request-Id') ?? undefined;
    this.errors = errors;
    this.retryAfter = wait === undefined ? undefined : wait / 1000;
    this.response = response;
  }
}

function isErrorBody(body: unknown): body is components['schemas']['Error'] {
  if (typeof body !== 'object' || body === null) return false;
  return 'fingerprint' in body && 'errors' in body && Array.isArray(body.errors);
}
