import type { Client } from './client-types.ts';
import type { User } from './contract.ts';
import type { CallOptions } from './operation-types.ts';
import { unwrap } from './unwrap.ts';

export interface EachUserOptions extends CallOptions {
  /** Users per page, 1 to 100. Default: 100. */
  size?: number;
}

/**
 * Iterates over all users of the organization in order of creation. Each page is fetched when the previous one is used
 * up.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError} when a page cannot be fetched
 */
export async function* eachUser(
  client: Client,
  { size = 100, ...options }: EachUserOptions = {},
): AsyncGenerator<User, void> {
  for (let page = 0, pages = 1; page < pages; page++) {
    const params = { query: { page, size } };
    const { content, totalPages } = await unwrap(client.GET('/organizations/users', { params, ...options }));
    yield* content;
    pages = totalPages;
  }
}
