import type { Client } from './client-types.ts';
import type { paths } from './contract.ts';
import type { PathsWith, Request, Success } from './operation-types.ts';
import { unwrap } from './unwrap.ts';

/** What a page says of its place in the list: its number, or the cursor of the next one. */
interface Position {
  nextCursor?: string;
  number?: number;
  totalPages?: number;
}

interface Page<Item> extends Position {
  content: Item[];
}

/** The cursors and numbers of the pages after which a list continued. */
export type Seen = Set<string | number>;

/** The paths of lists that have pages, by number or by cursor. */
export type ListPath = {
  [Path in PathsWith<'get'>]: Success<paths[Path]['get']> extends Page<unknown> ? Path : never;
}[PathsWith<'get'>];

/** The type of the items of a list. */
export type ItemAt<Path extends ListPath> =
  Success<paths[Path]['get']> extends { content: (infer Item)[] } ? Item : never;

type ListRequest<Path extends ListPath> = Omit<Request<paths[Path]['get'], 'json'>, 'body' | 'parseAs'>;
type Optional<Init> = object extends Init ? [request?: Init] : [request: Init];
type EachItem = <Path extends ListPath>(
  client: Client,
  path: Path,
  ...request: Optional<ListRequest<Path>>
) => AsyncGenerator<ItemAt<Path>, void>;

/**
 * Iterates over the items of all pages of a list. Each page is fetched when the previous one is used up.
 *
 *   for await (const execution of eachItem(client, '/workflows', { params: { query: { status: 'FAILED' } } }))
 *
 * @param request That of `client.GET`. `size` is 100 by default. The first page is `page` or follows `cursor` if set.
 * @throws {ApiError} {ConnectionError} {TimeoutError} when a page cannot be fetched; {Error} if a page repeats, because
 *   the list would never end
 */
export const eachItem = async function* (
  client: Client,
  path: string,
  { params, ...options }: { params?: { query?: object } } = {},
): AsyncGenerator<unknown, void> {
  // Later changes of the object are not for the remaining pages.
  const query = { size: 100, ...params?.query };
  const seen: Seen = new Set();
  for (let next: object | undefined = {}; next; ) {
    const page: Page<unknown> = await unwrap(
      client.GET(path as '/workflows', { params: { ...params, query: { ...query, ...next } }, ...options }),
    );
    yield* page.content;
    next = nextPage(page, seen);
  }
} as EachItem;

/**
 * The part of the query that selects the page after this one; undefined after the last page.
 *
 * @param seen of the same list, empty at first
 * @throws {Error} if a page repeats
 */
export function nextPage(
  { nextCursor: cursor, number, totalPages }: Position,
  seen: Seen,
): object | undefined {
  // The last page of a list with a cursor has none of the three: the comparison is false.
  const next = cursor ?? (number as number) + 1;
  if (seen.has(next)) throw new Error('The list does not end.');
  seen.add(next);
  return cursor ? { cursor } : (next as number) < (totalPages as number) ? { page: next } : undefined;
}
