import { createHash } from 'node:crypto';
import { Refused, refuse } from '../../../server/contract/index.ts';
import { isObject } from '../../../server/json/index.ts';
import { derivedUuid, personOf } from '../people.ts';
import type { Filter } from './filters.ts';

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
 * `size`.
 *
 * @param list tells its cursors from those of other lists
 * @param fields of the page
 * @param filterOf a parameter of the query
 * @throws {Refused} 400 for a cursor of another list or of other filters, like the platform
 */
export function pageOf(
  objects: readonly Value[],
  {
    query,
    list,
    fields,
    filterOf,
  }: { query: Value; list: string; fields: readonly string[]; filterOf(name: string): Filter | undefined },
): Page | undefined {
  const size = Number(query['size']);
  if (!(size > 0)) return undefined;
  const filters = Object.entries(query).flatMap(([name, value]) => {
    const matches = filterOf(name);
    return matches ? [(object: Value) => matches(object, value)] : [];
  });
  const matching = objects.filter((object) => filters.every((matches) => matches(object)));
  const { cursor, size: _, ...given } = query;
  const scope = scopeOf([list, Object.entries(given).sort()]);
  const start = typeof cursor === 'string' ? positionOf(cursor, scope) : Number(query['page'] ?? 0) * size;
  const own = matching.slice(start, start + size);
  const end = start + own.length;
  const totalPages = Math.ceil(matching.length / size);
  const number = start / size;
  const numbers: Value = {
    ...{ totalElements: matching.length, totalPages, number, size, numberOfElements: own.length },
    ...{ first: number === 0, last: number >= totalPages - 1, empty: own.length === 0 },
    ...(end < matching.length && own.length > 0 && { nextCursor: cursorAt(end, scope) }),
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

const scopeOf = (list: unknown) => createHash('sha256').update(JSON.stringify(list)).digest().subarray(0, 26);

/** Has the form of the platform's cursors. */
function cursorAt(position: number, scope: Buffer): string {
  const bytes = Buffer.alloc(30);
  scope.copy(bytes);
  bytes.writeUInt32BE(position, 26);
  return bytes.toString('base64url');
}

function positionOf(cursor: string, scope: Buffer): number {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length === 30 && scope.equals(bytes.subarray(0, 26))) return bytes.readUInt32BE(26);
  const message = 'cursor is not a valid cursor of this list with these filters';
  throw new Refused(refuse(400, 'parameter_invalid', { message, parameter: 'cursor' }));
}

const contentOf = (page: unknown) => (page as { content?: unknown[] }).content ?? [];

/** What the objects of the examples say about each other. */
export interface References {
  /** Identifiers that generated objects keep: those of other objects, and those that several objects have. */
  kept: ReadonlySet<string>;
  /** The name of the object with an identifier. */
  nameOf(id: string): unknown;
  /** When the last entry of all lists was created: what happened before in an example does not happen later in a generated one. */
  now: number;
}

/**
 * Objects like some, in turn, until there are `total`: with their own identifiers and names, always the same, and with
 * times that continue the order of the objects.
 */
export function withMore(objects: readonly Value[], total: number, references: References): Value[] {
  const missing = Math.min(total - objects.length, mostAdded);
  if (!(missing > 0)) return [];
  const times = objects.map(timeOf);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const step = (last < first ? -1 : 1) * 3_600_000;
  const lastNumber = /\d+$/.exec(String(objects.at(-1)?.['name']))?.[0];
  return Array.from({ length: missing }, (_, index) => {
    const model = objects[index % objects.length] as Value;
    const names = idsIn(model).map(references.nameOf);
    const shift = last + (index + 1) * step - timeOf(model);
    const isKept = (key: string, text: string) =>
      key === 'name' ? names.includes(text) : key !== 'id' && references.kept.has(text);
    const number = index + 1;
    const nameLike = (text: string) =>
      lastNumber && /\d$/.test(text)
        ? text.replace(/\d+$/, String(Number(lastNumber) + number).padStart(lastNumber.length, '0'))
        : `${text} ${number + 1}`;
    const timeLike = (time: number) =>
      time <= references.now && time + shift > references.now ? time : time + shift;
    return varied(model, { number, isKept, nameLike, timeLike }) as Value;
  });
}

/** The first time that an object has, by which its list is ordered. Default: 0. */
export function timeOf(object: Value): number {
  const time = Object.values(object).find((value) => typeof value === 'string' && dateTime.test(value));
  return time === undefined ? 0 : Date.parse(String(time));
}

const idsIn = ({ id: _, ...object }: Value): string[] => JSON.stringify(object).match(uuids) ?? [];

/** The identifiers of all objects, and the UUIDs that more than one object has. */
export function keptIds(objects: readonly Value[]): Set<string> {
  const owners = new Map<string, Set<unknown>>();
  for (const object of objects)
    for (const [found] of JSON.stringify(object).matchAll(uuids))
      owners.set(found, (owners.get(found) ?? new Set()).add(object['id']));
  const shared = [...owners].flatMap(([found, { size }]) => (size > 1 ? [found] : []));
  return new Set([...objects.map(({ id }) => String(id)), ...shared]);
}

/** The objects as those of another list: with other identifiers, and with names that end in a text. */
export function belongingTo(objects: readonly Value[], owner: string, name: string): Value[] {
  return objects.map((object) => ({
    ...object,
    id: derivedUuid(`${object['id']} ${owner}`),
    ...(typeof object['name'] === 'string' && { name: `${object['name']}, ${name}` }),
  }));
}

const uuids = /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/g;
const uuid = new RegExp(`^${uuids.source}$`);
const dateTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

interface Variation {
  number: number;
  isKept(key: string, text: string): boolean;
  nameLike(text: string): string;
  /** In milliseconds. */
  timeLike(time: number): number;
}

function varied(value: unknown, variation: Variation, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => varied(item, variation));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, varied(item, variation, name)]),
    );
  if (typeof value !== 'string') return value;
  const { number, isKept, nameLike, timeLike } = variation;
  const { account, ...person } = personOf(number);
  if (Object.hasOwn(person, key)) return person[key as keyof typeof person];
  if (key === 'email') return `${account}@${value.split('@')[1]}`;
  if (isKept(key, value)) return value;
  if (key === 'name') return nameLike(value);
  if (dateTime.test(value)) return new Date(timeLike(Date.parse(value))).toISOString();
  return uuid.test(value) ? derivedUuid(`${value} ${number}`) : value;
}
