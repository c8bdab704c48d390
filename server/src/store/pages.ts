import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../domain/cursors.ts';

/** A page of a list that is ordered by creation, then by id. */
export interface PageQuery {
  /** The last entry of the previous page; undefined for the first page. */
  after?: Position | undefined;
  /** The maximum number of entries. */
  size: number;
}

/** A page of the entries with a name, or in a workspace; undefined: all that the caller may view. */
export interface FilteredPageQuery extends PageQuery {
  workspaceId?: string | undefined;
  name?: string | undefined;
}

export interface Page<Entry> {
  content: Entry[];
  /** The last entry; undefined on the last page. */
  next: Position | undefined;
}

type Row = { id: string; created_at: Date };

/**
 * What to compare with `(created_at, id)` for the entries after those of the previous page. Without one, it is before the
 * first entry in ascending order, or after the last one in descending order.
 */
export function boundOf({ after }: PageQuery, order: 'ascending' | 'descending'): RawBuilder<unknown> {
  if (after) return sql`(${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  return order === 'ascending'
    ? sql`(timestamptz '-infinity', uuid '00000000-0000-0000-0000-000000000000')`
    : sql`(timestamptz 'infinity', uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
}

/** The end of a statement that reads a page in ascending order: its condition, order and limit. @param alias of the table */
export function nextRows(alias: string, page: PageQuery): RawBuilder<unknown> {
  const [createdAt, id] = [sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];
  return sql`(${createdAt}, ${id}) > ${boundOf(page, 'ascending')}
    order by ${createdAt}, ${id} limit ${page.size + 1}`;
}

/** A page of rows. @param rows read with a limit of one more than the size, which says whether there is a next page */
export function pageOf<R extends Row, Entry>(
  rows: R[],
  { size }: PageQuery,
  toEntry: (row: R) => Entry,
): Page<Entry> {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    content: rows.slice(0, size).map(toEntry),
    next: last && { createdAt: last.created_at, id: last.id },
  };
}

/** A condition that holds for all rows if the value is undefined. */
export const equals = (column: string, value: string | undefined): RawBuilder<boolean> =>
  value === undefined ? sql`true` : sql`${sql.ref(column)} = ${value}`;
