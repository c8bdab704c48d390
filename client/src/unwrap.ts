import type { UntypedResult } from './operation-types.ts';
import { errorOf } from './status-errors.ts';

/** The data of a successful call; `undefined` if the contract declares no body. */
export type DataOf<Result extends UntypedResult> = Result extends { data: infer Data } ? Data : never;

/**
 * Returns the data of a call, or throws its error.
 *
 *   const user = await unwrap(client.GET('/organizations/users/{userId}', { params: { path: { userId } } }));
 *
 * @throws {ApiError} for an error response, in the subclass for its status
 */
export async function unwrap<Result extends UntypedResult>(
  result: Result | Promise<Result>,
): Promise<DataOf<Result>> {
  const { data, error, response } = await result;
  if (!response.ok) throw errorOf(response, error);
  return data as DataOf<Result>;
}
