import type { components } from './contract.ts';
import { retryAfterMilliseconds } from './retry-policy.ts';

type ErrorBody = components['schemas']['Error'];

/** One reason for an error response. */
export type ErrorItem = components['schemas']['ErrorItem'];

/** A code from the contract's list. Minor versions may add codes, so a `switch` over it needs a default. */
export type ErrorCode = components['schemas']['ErrorCode'];

/**
 * An error response. Each status that the contract declares has a subclass; other statuses use `ApiError` itself.
 * Branch on the class or on `code`, never on the message.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  readonly status: number;
  /** The code of the first error; undefined if the response is not from the platform (for example, a proxy). */
  readonly code: ErrorCode | undefined;
  /** Identifies this occurrence. Quote it when you contact support. */
  readonly fingerprint: string | undefined;
  /** The `Request-Id` header; equal to the fingerprint. */
  readonly requestId: string | undefined;
  readonly errors: readonly ErrorItem[];
  /** Seconds to wait before a retry, from the `Retry-After` header. */
  readonly retryAfter: number | undefined;
  /** The response, for its headers (`Allow`, `RateLimit`). Its body has been read. */
  readonly response: Response;

  constructor(response: Response, body: unknown) {
    const { fingerprint, errors } = isErrorBody(body) ? body : { fingerprint: undefined, errors: [] };
    const [first] = errors;
    super(
      first
        ? `${first.code}: ${errors.map(describe).join('; ')}`
        : `HTTP ${response.status} ${response.statusText}`.trim(),
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

/** A successful response whose body is not valid JSON, usually a proxy's or a login page. */
export class ResponseParseError extends SyntaxError {
  override readonly name = 'ResponseParseError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];
  /** The HTTP status. */
  readonly status: number;
  /** The `Request-Id` header; undefined if the response is not from the platform. */
  readonly requestId: string | undefined;
  /** The response, for its headers and `url`. Its body has been read. */
  readonly response: Response;

  constructor(response: Response, cause: SyntaxError) {
    const { status, url, headers } = response;
    const type = headers.get('Content-Type') ?? 'no Content-Type';
    super(`HTTP ${status} from ${url} is not JSON (${type}): ${cause.message}`, { cause });
    this.status = status;
    this.requestId = headers.get('Request-Id') ?? undefined;
    this.response = response;
  }
}

/** No response: the platform is unreachable or the connection broke. The original error is the `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];

  /** @param origin of the URL; the rest of it may be secret */
  constructor(cause: unknown, origin: string) {
    super(`The connection to ${origin} failed: ${messageOf(cause)}`, { cause });
  }
}

/** A timeout expired before the response was complete. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];
  /** Which timeout: of one attempt, or of the whole call including retries. */
  readonly deadline: 'attempt' | 'call';

  /** @param call what timed out, for the message */
  constructor(deadline: 'attempt' | 'call', milliseconds: number, call: string) {
    const option = deadline === 'call' ? 'timeout' : 'attemptTimeout';
    super(`${call} timed out after ${milliseconds} ms (${option}).`);
    this.deadline = deadline;
  }
}

/**
 * The `error` of an unsuccessful response: the platform's error body, or one with an empty `errors` list if the body
 * is missing or came from elsewhere.
 *
 * @param external The response is not covered by the contract, so any body is returned unchanged.
 */
export function errorBody({ headers }: Response, body: unknown, external = false): unknown {
  if (isErrorBody(body) || (external && body)) return body;
  return { fingerprint: headers.get('Request-Id') ?? '', errors: [] } satisfies ErrorBody;
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  return 'fingerprint' in body && 'errors' in body && Array.isArray(body.errors);
}

/** The message with the field or the parameter that it is about. */
function describe({ message, pointer, parameter }: ErrorItem): string {
  const field = pointer || parameter;
  return field ? `${message} (${field})` : message;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node's message is only "fetch failed"; the reason is in the cause.
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;
}
