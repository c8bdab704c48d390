import type { HeadersOptions, Middleware } from 'openapi-fetch';
import type { paths } from './contract.ts';
import type { Patience } from './patience.ts';

type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that have a method. */
export type PathsWith<Verb extends Method> = {
  [Path in keyof paths]: paths[Path][Verb] extends { responses: unknown } ? Path : never;
}[keyof paths];

/** One method of the contract's paths, as a function of path and request. */
export type Call<Verb extends Method> = <
  Path extends PathsWith<Verb>,
  As extends Readable<paths[Path][Verb]> = Unasked<Readable<paths[Path][Verb]>>,
>(
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
  | { data?: never; error: Content<Operation, 4 | 5>; response: Response };

type Optional<Init> = object extends Init ? [request?: Init] : [request: Init];

type Params<Operation> = Operation extends { parameters: infer Given }
  ? object extends Given
    ? { params?: Given }
    : { params: Given }
  : never;

type Body<Operation> = Operation extends { requestBody: { content: infer Media } }
  ? { body: Sent<Media[keyof Media]> }
  : { body?: never };

/** As what the success of an operation can be read: what is not JSON must be asked for as what it is. */
type Readable<Operation> = [JsonMedia<Operation>] extends [never]
  ? [SuccessMedia<Operation>] extends [never]
    ? ParseAs
    : Exclude<ParseAs, 'json'>
  : ParseAs;

/** What holds where nothing was asked for; a file has none, so that all that may be asked for are named. */
type Unasked<Kinds> = 'json' extends Kinds ? 'json' : Kinds;

type Parse<Operation, As> =
  'json' extends Readable<Operation>
    ? {
        /** As what the body of a success is read; `'json'` unless told. */
        parseAs?: As;
      }
    : {
        /** How to read the file: `'stream'` as it arrives, or whole as `'blob'`, `'arrayBuffer'` or `'text'`. */
        parseAs: As;
      };

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
type Success<Operation> = [Content<Operation, 2>] extends [never] ? undefined : Content<Operation, 2>;

/** The declared statuses that begin with a digit: 2 of a success, 4 and 5 of an error. */
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
