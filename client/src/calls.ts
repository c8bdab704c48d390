import type { HeadersOptions, Middleware } from 'openapi-fetch';
import type { paths } from './contract.ts';
import type { Patience } from './patience.ts';

type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that have a method. */
export type PathsWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path][Verb] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** One method of the contract's paths, as a function of path and request. */
export type Call<Verb extends Method> = <Path extends PathsWith<Verb>, As extends ParseAs = 'json'>(
  path: Path,
  ...request: Optional<Request<paths[Path][Verb], As>>
) => Promise<Answer<paths[Path][Verb], As>>;

/** As what the body of a success is read: parsed as JSON unless told. */
export type ParseAs = 'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream';

/** What goes with any call, beside what its operation declares. */
export interface CallOptions extends Patience, Omit<RequestInit, 'body' | 'headers' | 'method'> {
  headers?: HeadersOptions;
  /** Only for this call; after those that `client.use()` was given. */
  middleware?: Middleware[];
  /** Instead of the client's `fetch`. */
  fetch?: (request: globalThis.Request) => Promise<Response>;
  /** A POST that is safe to repeat without an `Idempotency-Key`. */
  repeatable?: boolean;
  /** False: the body can be sent only once, so nothing is repeated. */
  resendable?: boolean;
}

/** A request of an operation. What is not there does not compile, so a typing error cannot go out. */
export type Request<Operation, As> = CallOptions & Params<Operation> & Body<Operation> & Parse<Operation, As>;

/** Data or an error, never both: look at either, and the other is known. */
export type Answer<Operation, As> =
  | { data: Read<Success<Operation>, As>; error?: never; response: Response }
  | { data?: never; error: Content<Operation, ErrorStatus>; response: Response };

type Optional<Init> = object extends Init ? [request?: Init] : [request: Init];

type Params<Operation> = Operation extends { parameters: infer Given }
  ? object extends Given
    ? { params?: Given }
    : { params: Given }
  : never;

type Body<Operation> = Operation extends { requestBody: { content: infer Media } }
  ? { body: Sent<Media[keyof Media]> }
  : { body?: never };

/** What is not JSON must be asked for as what it is. */
type Parse<Operation, As> =
  JsonMedia<Operation> extends never
    ? SuccessMedia<Operation> extends never
      ? { parseAs?: As }
      : { parseAs: As & Exclude<ParseAs, 'json'> }
    : { parseAs?: As };

/** What is sent may be readonly. */
type Sent<Value> = unknown extends Value
  ? Value
  : Value extends Blob
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly Sent<Item>[]
      : Value extends object
        ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
        : Value;

type Read<Json, As> = As extends 'text'
  ? string
  : As extends 'blob'
    ? Blob
    : As extends 'arrayBuffer'
      ? ArrayBuffer
      : As extends 'stream'
        ? Response['body']
        : Json;

type Responses<Operation> = Operation extends { responses: infer Given } ? Given : never;
type SuccessStatus = 200 | 201 | 202 | 204 | 206;
type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 416 | 422 | 429 | 500 | 502 | 503;
type Success<Operation> = [Content<Operation, SuccessStatus>] extends [never]
  ? undefined
  : Content<Operation, SuccessStatus>;

type MediaOf<Operation, Status> = {
  [Each in keyof Responses<Operation> & Status]: Responses<Operation>[Each] extends { content: infer Media }
    ? Media
    : never;
}[keyof Responses<Operation> & Status];

type Content<Operation, Status> = Values<MediaOf<Operation, Status>>;
type Values<Media> = Media extends unknown ? Media[keyof Media] : never;
type SuccessMedia<Operation> = Keys<MediaOf<Operation, SuccessStatus>>;
type Keys<Media> = Media extends unknown ? keyof Media : never;
type JsonMedia<Operation> = Extract<SuccessMedia<Operation>, `${string}json`>;
