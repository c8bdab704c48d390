import { ApiError } from './api-error.ts';

/** 400: the request is not as documented. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
/** 401: no credentials, or none that count. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}
/** 403: the caller's user does not hold the permission. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError';
}
/** 404: there is no such object in the caller's organization. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 405: the path does not have this method. */
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError';
}
/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends ApiError {
  override readonly name = 'RequestTimeoutError';
}
/** 409: not in this state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 413: the body or the file is too large. */
export class ContentTooLargeError extends ApiError {
  override readonly name = 'ContentTooLargeError';
}
/** 415: the operation does not take this media type. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly name = 'UnsupportedMediaTypeError';
}
/** 416: the range lies outside of the file. */
export class RangeNotSatisfiableError extends ApiError {
  override readonly name = 'RangeNotSatisfiableError';
}
/** 422: the idempotency key came with another request before. */
export class UnprocessableContentError extends ApiError {
  override readonly name = 'UnprocessableContentError';
}
/** 429: the budget of requests is used up. */
export class TooManyRequestsError extends ApiError {
  override readonly name = 'TooManyRequestsError';
}
/** 500: a fault of the platform. */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
}
/** 502: the token and key operations cannot reach their store, or a proxy the platform. */
export class BadGatewayError extends ApiError {
  override readonly name = 'BadGatewayError';
}
/** 503: the platform cannot answer just now. */
export class ServiceUnavailableError extends ApiError {
  override readonly name = 'ServiceUnavailableError';
}

/** @returns The error of an answer that is not a success, in the class of its status. */
export function errorOf(response: Response, body: unknown): ApiError {
  const Class = classOf(response.status);
  return new Class(response, body);
}

function classOf(status: number): typeof ApiError {
  switch (status) {
    case 400:
      return BadRequestError;
    case 401:
      return UnauthorizedError;
    case 403:
      return ForbiddenError;
    case 404:
      return NotFoundError;
    case 405:
      return MethodNotAllowedError;
    case 408:
      return RequestTimeoutError;
    case 409:
      return ConflictError;
    case 413:
      return ContentTooLargeError;
    case 415:
      return UnsupportedMediaTypeError;
    case 416:
      return RangeNotSatisfiableError;
    case 422:
      return UnprocessableContentError;
    case 429:
      return TooManyRequestsError;
    case 500:
      return InternalServerError;
    case 502:
      return BadGatewayError;
    case 503:
      return ServiceUnavailableError;
    default:
      return ApiError;
  }
}
