import type { operations } from './contract.ts';
import type { CallOptions, DeepReadonly, ParseAs, Read, Success } from './operation-types.ts';

type OperationId = keyof operations;

/** The request body of an operation. */
export type BodyOf<Id extends OperationId> = operations[Id] extends { requestBody?: { content: infer Media } }
  ? DeepReadonly<Media[keyof Media]>
  : never;

/** The data that an operation returns; undefined if it has no response body. */
export type OperationResult<Id extends OperationId, As extends ParseAs = 'json'> = Read<
  Success<operations[Id]>,
  As
>;

/** The last argument of a method: the query, headers and options of the call. */
export type OperationOptions<Id extends OperationId> = Omit<CallOptions, 'headers'> &
  Pick<operations[Id]['parameters'], 'query'> &
  Headers<NonNullable<operations[Id]['parameters']['header']>>;

/** The options of a download. `parseAs`: how it is read. */
export type FileOptions<
  Id extends OperationId,
  As extends Exclude<ParseAs, 'json'> = Exclude<ParseAs, 'json'>,
> = OperationOptions<Id> & { parseAs?: As };

type AnyHeaders = Record<string, string | undefined>;
type Headers<Declared> = [Declared] extends [never]
  ? { headers?: AnyHeaders }
  : { headers?: Omit<Declared, 'Idempotency-Key'> & AnyHeaders } & ('Idempotency-Key' extends keyof Declared
      ? {
          /** Makes retries safe across restarts of your process. Default: a new key for each call. */
          idempotencyKey?: string;
        }
      : unknown);
