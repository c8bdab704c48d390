import type { operations } from './contract.ts';
import type { Read, Success } from './operation-types.ts';

/** Operations that a client calls. The generated types also have those of webhooks, such as `onUserUpdated`. */
export type OperationId = Exclude<keyof operations, `on${Capitalize<string>}`>;

/** An operation's responses by status, with their headers, and a body if they have one. */
export type ExamplesOf<Id extends OperationId> = {
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /** With parameters as `:userId`. */
  readonly path: string;
  /** It takes no credentials. */
  readonly isPublic?: boolean;
  /** The headers that announce that it is deprecated. */
  readonly deprecated?: Readonly<Record<string, string>>;
  readonly responses: {
    readonly [Status in StatusOf<Id>]: {
      readonly headers: HeadersOf<operations[Id]['responses'][Status]>;
    } & (operations[Id]['responses'][Status] extends { content: infer Media }
      ? { readonly type: string; readonly body: Sample<Media[keyof Media]> }
      : { readonly type?: never; readonly body?: never });
  };
};

/**
 * The statuses that the contract declares for an operation. With `Extract`, the compiler keeps the literal of a function
 * that returns one: `() => 400`.
 */
export type StatusOf<Id extends OperationId> = Extract<keyof operations[Id]['responses'], number>;

/** The body of a successful response. */
export type BodyOf<Id extends OperationId> = Read<Success<operations[Id]>, 'json'>;

/** The declared headers, except the `Request-Id`, which each response has of its own. */
type HeadersOf<Response> = Response extends { headers: infer Declared }
  ? { readonly [Name in keyof Declared as string extends Name ? never : Exclude<Name, 'Request-Id'>]: string }
  : never;

/** A file is shown as text. */
type Sample<Body> = Body extends Blob ? string : Body;
