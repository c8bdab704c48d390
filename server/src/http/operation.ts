import type { operations as described } from '../../../generated/operations.ts';
import type { operations as Operations } from '../../../generated/types.ts';
import type { StoredFile, StoredJson } from '../../blobs/index.ts';
import type { OperationId, platformHeaders, Refusal, Resource } from '../../contract/index.ts';
import type { Caller } from '../domain/caller.ts';
import type { ObjectRows } from '../store/addressable-objects.ts';
import type { Database } from '../store/database.ts';
import type { Precondition } from '../store/users.ts';

type Described<Id extends OperationId> = (typeof described)[Id];
type OperationsOf<R extends Resource> = {
  [Id in OperationId]: Described<Id>['resource'] extends R ? Id : never;
}[OperationId];

/**
 * The input of a handler: the validated parameters and body, the caller (unless the operation is public), the
 * precondition (if the operation takes `If-Match` and the request has it), the row of the object that it reads (if that
 * is in `ObjectRows`), a signal that is aborted when the client disconnects (if the operation takes `wait`) and the
 * database. For an operation that changes something, the database is a transaction, committed when the handler returns
 * and rolled back when it throws.
 */
export type Request<Id extends OperationId> = {
  path: Present<Operations[Id]['parameters']['path']>;
  query: Defaulted<Present<Operations[Id]['parameters']['query']>>;
  body: BodyOf<Id>;
  database: Database;
} & (Described<Id>['caller'] extends true ? { caller: Caller } : unknown) &
  (Operations[Id]['parameters'] extends { header?: { 'If-Match'?: string } }
    ? { isCurrent: Precondition | undefined }
    : unknown) &
  ('wait' extends keyof Present<Operations[Id]['parameters']['query']> ? { signal: AbortSignal } : unknown) &
  RowOf<Id>;

/** The output of a handler: a status that the contract declares, with its body and headers. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Operations[Id]['responses']]: ReplyWith<Status, Operations[Id]['responses'][Status]>;
}[keyof Operations[Id]['responses']];

/** What a handler of any operation returned. */
export type HandlerResult = (Refusal | Success) & {
  /** This is the stored first response. */
  replayed?: true;
};

export interface Success {
  status: number;
  /** The media type, if the contract declares several. */
  type?: string;
  body?: unknown;
  headers?: Record<string, unknown>;
}

export type Handler<Id extends OperationId> = (request: Request<Id>) => Reply<Id> | Promise<Reply<Id>>;

/** The handlers of one resource: exactly one per operation. */
export type HandlersOf<R extends Resource> = { [Id in OperationsOf<R>]: Handler<Id> };

type PlatformHeader = (typeof platformHeaders)[number];

type ReplyWith<Status, Response> = Status extends number
  ? `${Status}` extends `${4 | 5}${string}`
    ? Refusal<Status>
    : { status: Status } & Content<Response> & Headers<Response>
  : never;

/** The media type is named only if the contract declares several; a file has its own. */
type Content<Response> = Response extends { content: infer Media extends object }
  ? '*/*' extends keyof Media
    ? { body: Served<Media['*/*']> }
    : IsUnion<keyof Media> extends true
      ? { [Type in keyof Media]: { type: Type; body: Served<Media[Type]> } }[keyof Media]
      : { body: Served<Media[keyof Media]> }
  : { body?: never };

type Headers<Response> = Response extends { headers: infer Declared }
  ? keyof OwnHeaders<Declared> extends never
    ? { headers?: never }
    : Partial<OwnHeaders<Declared>> extends OwnHeaders<Declared>
      ? { headers?: OwnHeaders<Declared> }
      : { headers: OwnHeaders<Declared> }
  : { headers?: never };
type OwnHeaders<Declared> = {
  [Name in keyof Declared as string extends Name
    ? never
    : Name extends PlatformHeader
      ? never
      : string extends Declared[Name]
        ? Name
        : never]: Declared[Name];
};

type RowName<Id extends OperationId> = keyof Operations[Id]['parameters']['path'] & keyof ObjectRows;
type RowOf<Id extends OperationId> = Described<Id>['method'] extends 'get'
  ? [RowName<Id>] extends [never]
    ? unknown
    : { row: ObjectRows[RowName<Id>] }
  : unknown;

type BodyOf<Id extends OperationId> = Operations[Id] extends { requestBody: { content: infer Media } }
  ? Received<Media[keyof Media]>
  : undefined;

/** Files are stored before a handler runs and sent after it: no handler holds bytes. */
type Received<Body> = Body extends object
  ? { [Field in keyof Body]: Body[Field] extends Blob ? StoredFile : Body[Field] }
  : Body;
/** A free-form object may be stored JSON, which is sent unchecked. */
type Served<Body> = Body extends Blob ? StoredFile : string extends keyof Body ? Body | StoredJson : Body;

/** Validation fills in defaults, so these parameters are always present. */
type Defaulted<Query> = Required<Query>;
type Present<Value> = [Value] extends [undefined] ? Record<never, never> : NonNullable<Value>;
type IsUnion<Type, Whole = Type> = Type extends unknown ? ([Whole] extends [Type] ? false : true) : never;
