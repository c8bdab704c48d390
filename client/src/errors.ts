import type { Error as ErrorBody, ErrorCode, ErrorItem } from './contract.ts';
import { retryAfterMilliseconds } from './retry-policy.ts';

// The classes declare what their constructors assign: without `declare`, the client would be larger.

/** A proxy may respond with more. */
const maxMessageLength = 1000;

/** The method and the path of the call that a response came from. */
export const operationsOfResponses: WeakMap<Response, string> = new WeakMap();

/**
 * An error response. Each status that the contract declares has a subclass; other statuses use `ApiError` itself.
 * Branch on the class or on `code`, never on the message.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status. */
  declare readonly status: number;
  /** The code of the first error; undefined if the response is not from the platform (for example, a proxy). */
  declare readonly code: ErrorCode | undefined;
  /** Identifies this occurrence. Quote it when you contact support. */
  declare readonly fingerprint: string | undefined;
  /** The `Request-Id` header; equal to the fingerprint. */
  declare readonly requestId: string | undefined;
  declare readonly errors: readonly ErrorItem[];
  /** Seconds to wait before a retry, from the `Retry-After` header. */
  declare readonly retryAfter: number | undefined;
  /** The method and the path of the call; undefined if the response is not from a `Client`. */
  declare readonly operation: string | undefined;
  /** The response, for its headers (`Allow`, `RateLimit`). Its body has been read. Not enumerable, because logs print it. */
  declare readonly response: Response;

  constructor(response: Response, body: unknown) {
    const { fingerprint, errors }: Pick<ErrorBody, 'errors'> & Partial<ErrorBody> = isErrorBody(body)
      ? body
      : { errors: [] };
    const [first] = errors;
    const text = first
      ? `${first.code}: ${errors.map(({ message }) => message).join('; ')}`
      : `HTTP ${response.status} ${response.statusText}`.trim();
    const operation = operationsOfResponses.get(response);
    super(text.slice(0, maxMessageLength) + (operation ? ` (${operation})` : ''));
    const wait = retryAfterMilliseconds(response);
    this.code = first?.code;
    this.fingerprint = fingerprint;
    this.errors = errors;
    this.retryAfter = wait && wait / 1000;
    this.operation = operation;
    setResponse(this, response);
  }
}

/** A successful response whose body is not valid JSON, usually a proxy's or a login page. */
export class ResponseParseError extends SyntaxError {
  override readonly name = 'ResponseParseError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];
  /** The HTTP status. */
  declare readonly status: number;
  /** The `Request-Id` header; undefined if the response is not from the platform. */
  declare readonly requestId: string | undefined;
  /** The response, for its headers and `url`. Its body has been read. Not enumerable. */
  declare readonly response: Response;

  /** @param from The URL for the message. That of a followed link may be secret. */
  constructor(response: Response, cause: SyntaxError, from: string = response.url) {
    const { status, headers } = response;
    const type = headers.get('Content-Type') ?? 'no Content-Type';
    super(`HTTP ${status} from ${from} is not JSON (${type}): ${cause.message}`, { cause });
    setResponse(this, response);
  }
}

/** No response: the platform is unreachable or the connection broke. The original error is the `cause`. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];

  /** @param origin of the URL; the rest of it may be secret */
  constructor(cause: unknown, origin: string) {
    // Node's message is only "fetch failed"; the reason is in the cause.
    const { cause: reason, message } = Object(cause);
    super(`The connection to ${origin} failed: ${reason?.message || message || cause}`, { cause });
  }
}

/** A value that cannot be part of a URL or a header. Nothing was sent. */
export class InvalidParameterError extends TypeError {
  override readonly name = 'InvalidParameterError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];
  /** The name of the parameter or the header. */
  declare readonly parameter: string;

  /**
   * @param operation Method and path, for the message.
   * @param found The value, or the part of a text that cannot be sent. The rest of a header may be secret.
   */
  constructor(operation: string, parameter: string, found: unknown) {
    const shown =
      typeof found === 'string'
        ? JSON.stringify(found)
        : Object(found) === found
          ? 'an object'
          : String(found);
    super(`${parameter} of ${operation} ${found === '' ? 'is missing' : `cannot be or contain ${shown}`}.`);
    this.parameter = parameter;
  }
}

/** A timeout expired before the response was complete. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  /** Empty, so that you can read `errors` of any error of a call. */
  readonly errors: readonly ErrorItem[] = [];
  /** Which timeout: of one attempt, or of the whole call including retries. */
  declare readonly deadline: 'attempt' | 'call';

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
  const { fingerprint, errors } = (body ?? {}) as Partial<ErrorBody>;
  return Boolean(fingerprint) && Array.isArray(errors) && errors.every((item) => item?.code);
}

function setResponse(error: Error, value: Response): void {
  const requestId = value.headers.get('Request-Id') ?? undefined;
  Object.defineProperty(Object.assign(error, { status: value.status, requestId }), 'response', { value });
}
