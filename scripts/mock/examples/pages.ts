import { isObject } from '../../../server/json/index.ts';
import { derivedUuid, personOf } from '../people.ts';

type Value = Record<string, unknown>;

/** One page of a list. */
export interface Page {
  /**
   * Replaces the entries of an example, and the numbers that follow from them.
   *
   * @param generate makes another page with generated entries. Default: the entries are objects of the examples
   */
  fill(example: unknown, generate?: () => Promise<unknown>): Promise<unknown>;
}

/** At most so many pages are generated for the entries of one. */
const generations = 100;
/** At most so many objects are added to those of the examples. */
const mostAdded = 500;

/** Entries of a list whose example has a next page, but does not say how many entries there are. */
export const defaultTotal = 45;

/**
 * The page of some objects that `page` or `cursor`, `size` and filters of a query select; undefined for a query without
 * `size`. A parameter that is called like a field of the objects is a filter.
 *
 * @param fields of the page
 */
export function pageOf(objects: readonly Value[], query: Value, fields: readonly string[]): Page | undefined {
  const size = Number(query['size']);
  if (!(size > 0)) return undefined;
  const filters = Object.entries(query).filter(([name]) => objects.some((object) => name in object));
  const matching = objects.filter((object) => filters.every(([name, value]) => object[name] === value));
  const start =
    typeof query['cursor'] === 'string' ? positionOf(query['cursor']) : Number(query['page'] ?? 0) * size;
  const own = matching.slice(start, start + size);
  const end = start + own.length;
  const totalPages = Math.ceil(matching.length / size);
  const number = start / size;
  const numbers: Value = {
    ...{ totalElements: matching.length, totalPages, number, size, numberOfElements: own.length },
    ...{ first: number === 0, last: number >= totalPages - 1, empty: own.length === 0 },
    ...(end < matching.length && own.length > 0 && { nextCursor: cursorAt(end) }),
  };
  const shown = Object.fromEntries(Object.entries(numbers).filter(([name]) => fields.includes(name)));
  return {
    async fill(example, generate) {
      let content: unknown[] = own;
      if (generate) {
        content = contentOf(example);
        for (let turn = 0; content.length < own.length && turn < generations; turn += 1)
          content = [...content, ...contentOf(await generate())];
      }
      const { nextCursor: _, ...others } = example as Value;
      return { ...others, content: content.slice(0, own.length), ...shown };
    },
  };
}

/** Has the form of the platform's cursors. */
function cursorAt(position: number): string {
  const bytes = Buffer.alloc(30);
  bytes.writeUInt32BE(position, 26);
  return bytes.toString('base64url');
}

/** After the last entry for a cursor of an example. */
function positionOf(cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.length === 30 ? bytes.readUInt32BE(26) : 0;
}

const contentOf = (page: unknown) => (page as { content?: unknown[] }).content ?? [];

/**
 * Objects like the last of some, until there are `total`: with their own identifiers, names and times, always the same.
 *
 * @param shared identifiers that each of them has, such as that of the organization
 */
export function withMore(objects: readonly Value[], total: number, shared: ReadonlySet<string>): Value[] {
  const last = objects.at(-1);
  const missing = Math.min(total - objects.length, mostAdded);
  if (!last || !(missing > 0)) return [];
  return Array.from({ length: missing }, (_, index) => varied(last, index + 1, shared) as Value);
}

/** The UUIDs that more than one object has. */
export function sharedUuids(objects: readonly Value[]): Set<string> {
  const owners = new Map<string, Set<unknown>>();
  for (const object of objects)
    for (const [found] of JSON.stringify(object).matchAll(uuids))
      owners.set(found, (owners.get(found) ?? new Set()).add(object['id']));
  return new Set([...owners].flatMap(([found, { size }]) => (size > 1 ? [found] : [])));
}

const uuids = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g;
const uuid = new RegExp(`^${uuids.source}$`);
const dateTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

function varied(value: unknown, number: number, shared: ReadonlySet<string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => varied(item, number, shared));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, varied(item, number, shared, name)]),
    );
  if (typeof value !== 'string') return value;
  const { account, ...person } = personOf(number);
  if (Object.hasOwn(person, key)) return person[key as keyof typeof person];
  if (key === 'email') return `${account}@${value.split('@')[1]}`;
  if (key === 'name') return `${value} ${number + 1}`;
  if (dateTime.test(value)) return new Date(Date.parse(value) + number * 3_600_000).toISOString();
  return uuid.test(value) && (key === 'id' || !shared.has(value)) ? derivedUuid(`${value} ${number}`) : value;
}
