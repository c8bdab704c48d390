import type { operations } from './contract.ts';
import type { Read, Success } from './operation-types.ts';

/** Operations that a client calls. The generated types also have those of webhooks, such as `onUserUpdated`. */
export type OperationId = Exclude<keyof operations, `on${Capitalize<string>}`>;

/** An operation's responses with a body or without one, by status. Redirects and 304 have none to show. */
export type ExamplesOf<Id extends OperationId> = {
  readonly method: 'get' | 'put' | 'post' | 'delete';
  /** With parameters as `:userId`. */
  readonly path: string;
  readonly responses: {
    readonly [Status in StatusOf<Id>]: operations[Id]['responses'][Status] extends { content: infer Media }
      ? { readonly type: string; readonly body: Sample<Media[keyof Media]> }
      : { readonly type?: never; readonly body?: never };
  };
};

/** The statuses that the contract declares for an operation. */
export type StatusOf<Id extends OperationId> = Exclude<keyof operations[Id]['responses'] & number, 304>;

/** The body of a successful response. */
export type BodyOf<Id extends OperationId> = Read<Success<operations[Id]>, 'json'>;

/** A file is shown as text. */
type Sample<Body> = Body extends Blob ? string : Body;
