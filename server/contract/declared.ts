import { type operations as described, errorMessages, type permissions } from '../../generated/operations.ts';

export type OperationId = keyof typeof described;
export type Permission = (typeof permissions)[number];
export type ErrorCode = keyof typeof errorMessages;
/** The resource of an operation: its tag, and the name of its files. */
export type Resource = (typeof described)[OperationId]['resource'];

/** A refusal that the contract declares. Default message: the one of the code. */
export interface Refusal<Status extends number = number> {
  status: Status;
  errors: readonly Problem[];
}

export interface Problem {
  code: ErrorCode;
  message?: string;
  /** The location in the body, as a JSON Pointer (RFC 6901). */
  pointer?: string;
  /** The path, query or header parameter. */
  parameter?: string;
}

/** Creates a refusal: `refuse(409, 'user_not_terminated')`. */
export function refuse<const Status extends number>(
  status: Status,
  code: ErrorCode,
  details: Omit<Problem, 'code'> = {},
): Refusal<Status> {
  return { status, errors: [{ code, ...details }] };
}

export function isRefusal(reply: object): reply is Refusal {
  return 'errors' in reply;
}

/**
 * A refusal thrown by code that cannot return it: before a handler runs, while a body arrives, or while a file is
 * sent. Handlers return refusals.
 */
export class Refused extends Error {
  readonly refusal: Refusal;
  /** Headers that belong to the refusal, such as `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(refusal: Refusal, headers: Record<string, string> = {}) {
    // Refusals are common: capturing a stack for each would cost more than all checks of a request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(refusal.errors.map(({ code }) => code).join(', '));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refused';
    this.refusal = refusal;
    this.headers = headers;
  }
}

const list = new Intl.ListFormat('en-GB');

/** The 405 of a path that supports only these methods. */
export function refusedMethod(methods: readonly string[]): Refused {
  const allowed = [...methods].sort();
  const message = `The path supports only ${list.format(allowed)}.`;
  return new Refused(refuse(405, 'method_not_allowed', { message }), { Allow: allowed.join(', ') });
}

/** The error object of the contract. */
export function errorBody(refusal: Refusal, fingerprint: string) {
  const errors = refusal.errors.map(({ code, message, ...where }) => ({
    code,
    message: message ?? errorMessages[code],
    ...where,
  }));
  return { fingerprint, errors };
}

/**
 * Headers that the platform adds, so that no handler has to. It also adds all headers for which the contract allows one
 * value only.
 */
export const platformHeaders = [
  'Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Deprecation',
  'Sunset',
  'Link',
  'Retry-After',
  'WWW-Authenticate',
  'Accept-Encoding',
  'Idempotency-Replayed',
  // These headers follow from the body.
  'Content-Disposition',
  'Content-Range',
  'ETag',
  // It follows from the public URL.
  'Strict-Transport-Security',
] as const;
