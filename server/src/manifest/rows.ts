import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { type JsonObject, parseTimestamp } from '../../json/index.ts';
import type { EnvironmentName } from '../config.ts';
import { uuidOf } from '../domain/identifiers.ts';
import { auditChange } from '../store/audit.ts';
import type { Transaction } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import type { DefinitionChange } from './definition-changes.ts';
import type { Path, Problem } from './platform-file.ts';

/** The state while one environment of a file is applied. */
export interface ApplyContext {
  database: Transaction;
  environment: EnvironmentName;
  now: Date;
  /** Undefined until it is applied. */
  organizationId?: string;
  changes: Changes;
  /** Receives the definitions that change. */
  definitions: DefinitionChange[];
  /** Receives the objects that are created, in the order of the file. */
  created: CreatedObject[];
  /** Returns increasing creation times, so that lists follow the order of the file. */
  nextTimestamp(): string;
  /** Aborts and reports the problems. */
  fail(problems: Problem[]): never;
}

export interface CreatedObject {
  kind: Kind;
  name: string;
}

/** The values of columns. An undefined one is not mentioned in the file: a stored row keeps its value. */
type Row = Record<string, string | string[] | number | Date | JsonObject | null | undefined>;

interface DeclaredRow {
  declaration: { id?: string | undefined; createdDateTime?: string };
  path: Path;
  /** Columns that are always set as declared. */
  owned: Row;
  /** Columns that are set on creation only, and the defaults of those that the file does not mention. */
  initial?: Row;
}

interface TableMapping {
  table: keyof Schema;
  /** The column with the id of the parent. */
  parent?: string;
  /** The column with the name. Default: name. */
  name?: string;
  /** Whether names that differ only in case are the same. */
  ignoreCase?: boolean;
  /** Whether a second object with the same name and parent is an error, even with an id of its own. */
  hasUniqueNames?: boolean;
  /** The column with the time at which an object was archived: one that is declared is restored. */
  archived?: string;
}

const mappings = {
  organization: { table: 'organizations' },
  'organization roles': { table: 'organization_roles', parent: 'organization_id', hasUniqueNames: true },
  users: {
    table: 'users',
    parent: 'organization_id',
    name: 'email',
    ignoreCase: true,
    hasUniqueNames: true,
  },
  workspaces: { table: 'workspaces', parent: 'organization_id', hasUniqueNames: true },
  tables: { table: 'tables', parent: 'workspace_id', hasUniqueNames: true },
  records: { table: 'records', parent: 'table_id' },
  'workspace roles': { table: 'workspace_roles', parent: 'workspace_id', hasUniqueNames: true },
  cases: { table: 'cases', parent: 'workspace_id' },
  'workflow definitions': {
    table: 'workflow_definitions',
    parent: 'workspace_id',
    hasUniqueNames: true,
    archived: 'archived_at',
  },
  schedules: { table: 'schedules', parent: 'workspace_id', hasUniqueNames: true },
  webhooks: { table: 'webhook_endpoints', parent: 'organization_id', name: 'url', hasUniqueNames: true },
} satisfies Partial<Record<Kind, TableMapping>>;

/** The rows of a list in the file. @param owned the columns that are always set as declared */
export function rowsOf<Declared extends DeclaredRow['declaration']>(
  list: Declared[],
  path: Path,
  owned: (declaration: Declared, index: number) => Row,
  initial: Row = {},
) {
  return list.map((declaration, index) => ({
    declaration,
    path: [...path, index],
    owned: owned(declaration, index),
    initial,
  }));
}

/** A row with its id, and the row that was stored before, if any. */
type Upserted<Declared> = Declared & { id: string; stored: Row | undefined };

/**
 * Inserts or updates the rows of one kind, and returns them with their ids. An object is identified by its id, or by
 * its name if the file has no id for it.
 */
export async function upsertRows<Declared extends DeclaredRow>(
  context: ApplyContext,
  kind: keyof typeof mappings,
  rows: Declared[],
): Promise<Upserted<Declared>[]> {
  if (rows.length === 0) return [];
  const { database, changes, nextTimestamp } = context;
  const mapping: TableMapping = mappings[kind];
  const matched = await matchRows(context, kind, mapping, rows);
  const inserts: Row[] = [];
  for (const { id, owned, initial, declaration, stored } of matched) {
    const mentioned = Object.entries(owned).filter(([, value]) => value !== undefined);
    if (stored) {
      if (mapping.archived && stored[mapping.archived]) mentioned.push([mapping.archived, null]);
      const fields = mentioned.flatMap(([column, value]) =>
        isDeepStrictEqual(stored[column], value) ? [] : [column],
      );
      const differs = fields.length > 0;
      if (differs) {
        await updateRow(database, mapping.table, id, mentioned);
        auditApplied(context, objectKindOf(kind), id, { change: 'updated', fields });
      }
      changes[kind][differs ? 'updated' : 'unchanged'] += 1;
    } else {
      const timestamp = nextTimestamp();
      const { createdDateTime } = declaration;
      inserts.push({
        id,
        ...initial,
        ...Object.fromEntries(mentioned),
        created_at: createdDateTime === undefined ? timestamp : parseTimestamp(createdDateTime).toISOString(),
      });
      changes[kind].created += 1;
      context.created.push({ kind, name: String(owned[mapping.name ?? 'name']) });
      auditApplied(context, objectKindOf(kind), id, { change: 'created' });
    }
  }
  await insertRows(database, mapping.table, inserts);
  return matched;
}

/** The kind of object in the audit log. */
const objectKindOf = (kind: Kind) => (kind === 'webhooks' ? 'webhook endpoint' : kind.replace(/s$/, ''));

/** Names an object that the file changes, for the audit log. */
export function auditApplied(
  { database, organizationId }: ApplyContext,
  kind: string,
  id: string,
  details: Record<string, unknown>,
): void {
  auditChange(database, { object: { kind, id }, organizationId, details });
}

/** Finds the stored row of each declared one. Fails if an id or a name belongs to another object. */
async function matchRows<Declared extends DeclaredRow>(
  { database, environment, fail }: ApplyContext,
  kind: Kind,
  mapping: TableMapping,
  rows: Declared[],
): Promise<Upserted<Declared>[]> {
  const { parent, name = 'name', ignoreCase, hasUniqueNames } = mapping;
  const parentOf = (row: Row) => String((parent && row[parent]) ?? '');
  const nameOf = (row: Row) => (ignoreCase ? String(row[name]).toLowerCase() : String(row[name]));
  const keyOf = (row: Row) => JSON.stringify([parentOf(row), nameOf(row)]);
  const derive = ({ owned }: Declared, ...more: string[]) =>
    derivedId(environment, kind, parentOf(owned), nameOf(owned), ...more);

  const wanted = rows.map((row) => ({ row, id: row.declaration.id ?? derive(row) }));
  const stored = await findRows(
    database,
    mapping,
    wanted.map(({ row, id }) => ({ id, owned: row.owned })),
    nameOf,
  );
  const byId = new Map(stored.map((row) => [row['id'], row]));
  const declaredIds = new Set(rows.map(({ declaration }) => declaration.id));
  const declaredKeys = new Set(rows.map(({ owned }) => keyOf(owned)));
  // An id in the file takes precedence over a name.
  const unclaimed = new Map<string, Row[]>();
  for (const row of stored) {
    if (declaredIds.has(row['id'] as string)) continue;
    const key = keyOf(row);
    const namesakes = unclaimed.get(key);
    if (namesakes) namesakes.push(row);
    else unclaimed.set(key, [row]);
  }

  const problems: Problem[] = [];
  const matched = wanted.map(({ row, id }): Upserted<Declared> => {
    const { path, owned, declaration } = row;
    const namesakes = unclaimed.get(keyOf(owned)) ?? [];
    const [namesake] = namesakes;
    let found = byId.get(id);
    if (declaration.id === undefined) {
      const sameName = namesakes.find((other) => other['id'] === id) ?? namesake;
      if (sameName?.['id'] !== id && namesakes.length > 1) {
        problems.push({ path: [...path, name], message: 'matches several stored objects: add an id' });
      }
      // Otherwise the object that once had this name, unless the file has it under its present one.
      const renamed = found && !declaredIds.has(id) && !declaredKeys.has(keyOf(found));
      found = sameName ?? (renamed ? found : undefined);
    } else if (found && parentOf(found) !== parentOf(owned)) {
      problems.push({ path: [...path, 'id'], message: 'is already used by another object' });
    } else if (namesake && hasUniqueNames && !(found && keyOf(found) === keyOf(owned))) {
      const message = `does not match: ${nameOf(owned)} already exists with id ${namesake['id']}`;
      problems.push({ path: [...path, 'id'], message });
    }
    const isTaken = declaration.id === undefined && (byId.has(id) || declaredIds.has(id));
    return { ...row, stored: found, id: (found?.['id'] as string) ?? (isTaken ? derive(row, 'next') : id) };
  });
  if (problems.length > 0) fail(problems);
  return matched;
}

async function findRows(
  database: Transaction,
  { table, parent, name = 'name', ignoreCase }: TableMapping,
  wanted: { id: string; owned: Row }[],
  nameOf: (row: Row) => string,
): Promise<Row[]> {
  const ids = wanted.map(({ id }) => id);
  const names = [...new Set(wanted.map(({ owned }) => nameOf(owned)))];
  const parents = parent ? [...new Set(wanted.map(({ owned }) => owned[parent]))] : [];
  const sameName = sql`${ignoreCase ? sql`lower(${sql.ref(name)})` : sql.ref(name)} = any(${names}::text[])`;
  const sameParent = parent ? sql`and ${sql.ref(parent)} = any(${parents}::uuid[])` : sql``;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where id = any(${ids}::uuid[]) or (${sameName} ${sameParent})
    order by created_at, id
  `.execute(database);
  return rows;
}

/** Inserts all rows with one statement, whose text does not depend on their number. */
export async function insertRows(database: Transaction, table: keyof Schema, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = sql.join([...names].map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(database);
}

async function updateRow(
  database: Transaction,
  table: keyof Schema,
  id: string,
  values: [column: string, value: Row[string]][],
): Promise<void> {
  const columns = values.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(columns)} where id = ${id}`.execute(database);
}

// RFC 9562 requires a namespace of our own. It was generated once and must never change.
const namespace = Buffer.from('5c1f8e0b7d3a4f26a9d4e2b6c8071f35', 'hex');

/**
 * Derives the id of an object for which the platform file has none: a UUIDv5 (RFC 9562) of its location and name, so
 * that the same file creates the same ids everywhere.
 */
export function derivedId(...parts: string[]): string {
  const digest = createHash('sha1').update(namespace).update(JSON.stringify(parts)).digest().subarray(0, 16);
  digest[6] = ((digest[6] as number) & 0x0f) | 0x50;
  digest[8] = ((digest[8] as number) & 0x3f) | 0x80;
  return uuidOf(digest);
}

/** The kinds of object in a platform file, in the order in which they are applied. */
export const kinds = [
  'organization',
  'organization roles',
  'users',
  'mfa factors',
  'workspaces',
  'tables',
  'records',
  'workspace roles',
  'permissions',
  'memberships',
  'cases',
  'workflow definitions',
  'webhooks',
  'definition revisions',
  'schedules',
] as const;
export type Kind = (typeof kinds)[number];

/** Numbers of objects. Only permissions are removed, when the file removes them from a role. */
export interface Counts {
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}
export type Changes = Record<Kind, Counts>;

export function noChanges(): Changes {
  const counts = kinds.map((kind) => [kind, { created: 0, updated: 0, removed: 0, unchanged: 0 }]);
  return Object.fromEntries(counts) as Changes;
}
