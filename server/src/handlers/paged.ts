import { refuse } from '../../contract/index.ts';
import { cursorOf, positionOf } from '../domain/cursors.ts';
import { canonicalIdentifiers } from '../domain/identifiers.ts';
import type { Page, PageQuery } from '../store/pages.ts';

/**
 * The response with a page of a list.
 *
 * @param list tells its cursors from those of other lists, and is the same for every page
 * @param query of the request: a cursor holds for the filters that it was returned for, and for any size
 */
export async function paged<Filters extends object, Entry>(
  list: string,
  { cursor, size, ...others }: Filters & { cursor?: string | undefined; size: number },
  read: (query: Omit<Filters, 'cursor' | 'size'> & PageQuery) => Promise<Page<Entry>>,
) {
  const filters = canonicalIdentifiers(others);
  const scope = JSON.stringify([list, ...Object.entries(filters).sort()]);
  const after = cursor === undefined ? undefined : positionOf(scope, cursor);
  if (cursor !== undefined && !after) {
    const message = 'cursor is not a valid cursor of this list with these filters';
    return refuse(400, 'parameter_invalid', { message, parameter: 'cursor' });
  }
  const { content, next } = await read({ ...filters, size, after });
  const body = next ? { content, nextCursor: cursorOf(scope, next) } : { content };
  return { status: 200 as const, body };
}
