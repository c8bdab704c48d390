import type { ErrorObject } from 'ajv';

/**
 * A validator that ajv compiled for express-openapi-validator. Returns false and sets `errors` if the value is
 * invalid.
 */
export interface Check {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** EOV's own function around the two checks: calls `next`, or throws its HttpError. */
export type Stock = (request: StockRequest, response: object, next: () => void) => void;

export interface StockRequest {
  method: string;
  path: string;
  originalUrl: string;
  headers: object;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  openapi: object;
}

export interface RequestChecks {
  /** Checks `{query, headers, params}`, coerces strings to the declared types and adds defaults. */
  parameters: Check;
  /** Checks `{body}` without coercion. */
  body: Check;
  stock: Stock;
  /** Some checks exist only in the closure. */
  stockOnly: boolean;
  /** The same checks, collecting all errors. Compiled at first use: only invalid requests need them. */
  full(): FullChecks;
}

export type FullChecks = Pick<RequestChecks, 'parameters' | 'body'>;

/** The checks of one operation. Each is compiled at first use. */
export interface CompiledOperation {
  method: string;
  template: string;
  /** Checks only the path parameters, as `{query: {}, headers: {}, params}`. */
  path(): Check;
  /** The checks of a request without a body. */
  bare(): RequestChecks;
  /** By declared media type of the request body. */
  bodies: ReadonlyMap<string, () => RequestChecks>;
  /** By declared status, then by declared JSON media type. Checks `{response}`. */
  responses: Readonly<Record<string, () => Readonly<Record<string, Check>>>>;
  /** The value that EOV's closure expects as `req.openapi`. */
  openapi: object;
  /** Compiles what was not used yet. @throws an error that names the operation if something does not compile */
  compile(): void;
}
