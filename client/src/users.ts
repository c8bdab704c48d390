import type { CallOptions } from './calls.ts';
import type { Client } from './client.ts';
import type { components } from './contract.ts';
import { unwrap } from './unwrap.ts';

export interface EachUserOptions extends CallOptions {
  /** Users in a page, 1 to 100; 100 unless told. */
  size?: number;
}

/**
 * Every user of the organization, in the order of their creation, a page at a time: the next page is fetched when
 * the last one was used up.
 *
 * @throws {ApiError} {ConnectionError} {TimeoutError} at the page that failed
 */
export async function* eachUser(
  client: Client,
  { size = 100, ...options }: EachUserOptions = {},
): AsyncGenerator<components['schemas']['User'], void> {
  for (let page = 0, pages = 1; page < pages; page++) {
    const params = { query: { page, size } };
    const { content, totalPages } = await unwrap(client.GET('/organizations/users', { params, ...options }));
    yield* content;
    pages = totalPages;
  }
}
