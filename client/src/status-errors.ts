import { ApiError } from './errors.ts';

/** 400: the request violates the contract. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
/** 401: missing, invalid or expired credentials. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the caller lacks the required permission. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}
/** 404: the object does not exist in the caller's organization. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 405: the path does not support this method. */
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError';
}
/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends ApiError {
  override readonly name = 'RequestTimeoutError';
}
/** 409: the request conflicts with the object's current state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 412: the object has changed since it had the `ETag` of `If-Match`. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}
/** 413: the body or the file is too large. */
export class ContentTooLargeError extends ApiError {
  override readonly name = 'ContentTooLargeError';
}
/** 415: the operation does not accept this media type. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError';
}
/** 416: the range is outside the file. */
export class RangeNotSatisfiableError extends ApiError {
  override readonly name = 'RangeNotSatisfiableError';
}
/** 422: the idempotency key was used for a different request. */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError';
}
/** 429: the rate limit is exceeded. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}
/** 500: an internal error of the platform. */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
}
/** 502: the token and key operations cannot reach the database, or a proxy cannot reach the platform. */
export class BadGatewayError extends ApiError {
  override readonly name = 'BadGatewayError';
}
/** 503: the platform is temporarily unavailable. */
export class ServiceUnavailableError extends ApiError {
  override readonly name = 'ServiceUnavailableError';
}

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  408: RequestTimeoutError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: ContentTooLargeError,
  415: UnsupportedMediaTypeError,
  416: RangeNotSatisfiableError,
  422: UnprocessableContentError,
  429: TooManyRequestsError,
  500: InternalServerError,
  502: BadGatewayError,
  503: ServiceUnavailableError,
};

/** @returns The error of an unsuccessful response, in the class for its status. */
export function errorOf(response: Response, body: unknown): ApiError {
  const Class = classes[response.status] ?? ApiError;
  return new Class(response, body);
}
