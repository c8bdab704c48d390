import { errorOf } from './status-errors.ts';

/** What a call gives: data or an error, with the response. */
type Answer = { data?: unknown; error?: unknown; response: Response };

/** The data of an answer that succeeded; `undefined` where the contract declares no body. */
export type DataOf<Given extends Answer> = Given extends { data: infer Data } ? Data : never;

/**
 * The data of a call, for callers who would rather catch than branch.
 *
 *   const user = await unwrap(client.GET('/organizations/users/{userId}', { params: { path: { userId } } }));
 *
 * @throws {ApiError} where the answer is not a success, in the class of its status.
 */
export async function unwrap<Given extends Answer>(answer: Given | Promise<Given>): Promise<DataOf<Given>> {
  const { data, error, response } = await answer;
  if (!response.ok) throw errorOf(response, error);
  return data as DataOf<Given>;
}
