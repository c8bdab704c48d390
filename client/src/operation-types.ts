import type { HeadersOptions, Middleware } from 'openapi-fetch';
import type { CheckedPath } from './checked-path.ts';
import type { paths } from './contract.ts';
import type { RetryPolicy } from './retry-policy.ts';

type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that have this method. */
export type PathsWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path][Verb] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** The function for one HTTP method: `client.GET(path, request)`. */
export interface Call<Verb extends Method> {
  <
    Path extends PathsWith<Verb>,
    As extends Readable<paths[Path][Verb]> = DefaultParseAs<Readable<paths[Path][Verb]>>,
    Given extends string = Path,
  >(
    path: Path | CheckedPath<Given, PathsWith<Verb>>,
    ...request: Optional<Request<paths[Path][Verb], As>>
  ): Promise<CallResult<paths[Path][Verb], As>>;
  /**
   * Never called. With a second signature, the compiler compares this type to openapi-fetch's without relating their
   * type parameters, so that libraries accept this client. Its number of arguments keeps it out of error messages.
   */
  (...unused: [never, never, never, never]): never;
}

/** How a successful response body is read. Default: `'json'`. */
export type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** Options that every call accepts besides those of its operation. */
export interface CallOptions extends RetryPolicy, Omit<RequestInit, 'body' | 'headers' | 'method'> {
  headers?: HeadersOptions;
  /** Middleware for this call; runs after that of `client.use()`. */
  middleware?: Middleware[];
  /** Replaces the client's `fetch`. */
  fetch?: (request: globalThis.Request) => Promise<Response>;
  /** True: this POST is safe to retry without an `Idempotency-Key`. */
  idempotent?: boolean;
  /** False: the body can be sent only once, so the call is not retried. Default: true. */
  resendable?: boolean;
}

/** A request of an operation. Unknown properties do not compile, which catches misspelled options. */
export type Request<Operation, As> = CallOptions & Params<Operation> & Body<Operation> & Parse<Operation, As>;

/** Either `data` or `error`: checking one narrows the other. */
export type CallResult<Operation, As> =
  | { data: Read<Success<Operation>, As>; error?: never; response: Response }
  | { data?: never; error: Content<Operation, 4 | 5>; response: Response };

/** The result of a call whose operation is not known. */
export type UntypedResult = { data?: unknown; error?: unknown; response: Response };

type Optional<Init> = object extends Init ? [request?: Init] : [request: Init];

type Params<Operation> = Operation extends { parameters: infer Declared }
  ? object extends Declared
    ? { params?: Declared }
    : { params: Declared }
  : never;

type Body<Operation> = Operation extends { requestBody: { content: infer Media } }
  ? { body: DeepReadonly<Media[keyof Media]> }
  : { body?: never };

/** The `parseAs` values of an operation: `'json'` only if it returns JSON or no body. */
type Readable<Operation> = [JsonMedia<Operation>] extends [never]
  ? [SuccessMedia<Operation>] extends [never]
    ? ParseAs
    : Exclude<ParseAs, 'json'>
  : ParseAs;

/** A file has no default `parseAs`, so that the compiler error lists the possible values. */
type DefaultParseAs<Allowed> = 'json' extends Allowed ? 'json' : Allowed;

type Parse<Operation, As> =
  'json' extends Readable<Operation>
    ? {
        /** How a successful response body is read. Default: `'json'`. */
        parseAs?: As;
      }
    : {
        /** How the file is read: as a `'stream'`, or completely as `'blob'`, `'arrayBuffer'` or `'text'`. */
        parseAs: As;
      };

/** Accepts readonly values in a request body. Messages of the compiler show it by this name, with that of its schema. */
export type DeepReadonly<Value> = { readonly [Name in keyof Value]: ReadonlyValue<Value[Name]> };

type ReadonlyValue<Value> = unknown extends Value ? Value : Value extends Blob ? Value : DeepReadonly<Value>;

/** A response body as `parseAs` reads it. */
export type Read<Json, As> = As extends 'text'
  ? string
  : As extends 'blob'
    ? Blob
    : As extends 'arrayBuffer'
      ? ArrayBuffer
      : As extends 'stream'
        ? Response['body']
        : Json;

type Responses<Operation> = Operation extends { responses: infer Declared } ? Declared : never;

/** The JSON of a success; undefined if the contract declares no body. */
export type Success<Operation> = [Content<Operation, 2>] extends [never] ? undefined : Content<Operation, 2>;

/** The declared statuses that begin with a digit: 2 for success, 4 and 5 for errors. */
type StatusOf<Operation, Digit extends number> = {
  [Status in keyof Responses<Operation> & number]: `${Status}` extends `${Digit}${string}` ? Status : never;
}[keyof Responses<Operation> & number];

type MediaOf<Operation, Digit extends number> = {
  [Status in StatusOf<Operation, Digit>]: Responses<Operation>[Status] extends { content: infer Media }
    ? Media
    : never;
}[StatusOf<Operation, Digit>];

type Content<Operation, Digit extends number> = Values<MediaOf<Operation, Digit>>;
type Values<Media> = Media extends unknown ? Media[keyof Media] : never;
type SuccessMedia<Operation> = Keys<MediaOf<Operation, 2>>;
type Keys<Media> = Media extends unknown ? keyof Media : never;
type JsonMedia<Operation> = Extract<SuccessMedia<Operation>, `${string}json`>;
