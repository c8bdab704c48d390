import { type RawBuilder, sql } from 'kysely';
import { uuidOf } from '../domain/identifiers.ts';

/** A page of a list that is ordered by creation, then by id. */
export interface PageQuery {
  /** The `nextCursor` of the previous page; undefined for the first page. */
  cursor?: string | undefined;
  /** The maximum number of entries. */
  size: number;
}

export interface Page<Entry> {
  content: Entry[];
  /** Absent on the last page. */
  nextCursor?: string;
}

/** Milliseconds since 1970 of the years 1 and 275760: a cursor that no page returned may lie outside of them. */
const [earliest, latest] = [-62_135_596_800_000, 8_640_000_000_000_000];

type Row = { id: string; created_at: Date };

/**
 * The position after the entries of the previous page, to compare with `(created_at, id)`: before the first entry in
 * ascending order, or after the last one in descending order, without a cursor.
 */
export function positionOf({ cursor }: PageQuery, order: 'ascending' | 'descending'): RawBuilder<unknown> {
  if (cursor === undefined) {
    return order === 'ascending'
      ? sql`(timestamptz '-infinity', uuid '00000000-0000-0000-0000-000000000000')`
      : sql`(timestamptz 'infinity', uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;
  }
  const bytes = Buffer.from(cursor, 'base64url');
  const milliseconds = Math.min(Math.max(Number(bytes.readBigInt64BE()), earliest), latest);
  return sql`(to_timestamp(${milliseconds / 1000}::float8), ${uuidOf(bytes.subarray(8))}::uuid)`;
}

/** The cursor of the position after an entry: 8 bytes of milliseconds, then the identifier. */
function cursorAfter({ id, created_at }: Row): string {
  const bytes = Buffer.alloc(24);
  bytes.writeBigInt64BE(BigInt(created_at.getTime()));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes.toString('base64url');
}

/** A page of rows. @param rows read with a limit of one more than the size, which says whether there is a next page */
export function pageOf<R extends Row, Entry>(
  rows: R[],
  { size }: PageQuery,
  toEntry: (row: R) => Entry,
): Page<Entry> {
  const last = rows[size - 1];
  const content = rows.slice(0, size).map(toEntry);
  return rows.length > size && last ? { content, nextCursor: cursorAfter(last) } : { content };
}

/** A condition that holds for all rows if the value is undefined. */
export const equals = (column: string, value: string | undefined): RawBuilder<boolean> =>
  value === undefined ? sql`true` : sql`${sql.ref(column)} = ${value}`;
