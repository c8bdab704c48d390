import type { ErrorObject } from 'ajv';

/** A validator that ajv compiled for express-openapi-validator. Says no by `false` and `errors`. */
export interface Check {
  (data: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** The validator's own closure around the two checks: calls `next`, or throws its HttpError. */
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
  /** Checks `{query, headers, params}`, turns texts into what is declared, and adds defaults. */
  parameters: Check;
  /** Checks `{body}`, changing no type. */
  body: Check;
  stock: Stock;
  /** Only the closure knows the whole verdict. */
  stockOnly: boolean;
}

/** What there is to ask about one operation. */
export interface CompiledOperation {
  method: string;
  template: string;
  /** Checks `{query: {}, headers: {}, params}`: the path parameters alone. */
  path: Check;
  /** For a request without a body. */
  bare: RequestChecks;
  /** By declared media type of the request body. */
  bodies: ReadonlyMap<string, RequestChecks>;
  /** By declared status, then by declared JSON media type. Checks `{response}`. */
  responses: Readonly<Record<string, Readonly<Record<string, Check>>>>;
  /** What the stock closure expects as `req.openapi`. */
  openapi: object;
}
