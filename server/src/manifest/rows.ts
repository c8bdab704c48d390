import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { EnvironmentName } from '../config.ts';
import type { Transaction } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import type { Changes, Kind } from './changes.ts';
import { derivedId } from './derived-id.ts';
import type { Path, Problem } from './problems.ts';

/** One environment's file while it is applied. */
export interface Applying {
  database: Transaction;
  environment: EnvironmentName;
  changes: Changes;
  /** The next moment of creation: the order of the file is the order of the lists. */
  nextMoment(): string;
  /** Gives up, with what the file's author has to know. */
  refuse(problems: Problem[]): never;
}

type Value = string | string[] | null;
type Row = Record<string, Value>;

/** A thing as the file declares it. */
export interface Declared {
  id: string | undefined;
  createdDateTime: string | undefined;
  path: Path;
  /** Written when the thing is created, and kept as declared ever after. */
  owned: Row;
  /** Written when the thing is created, and somebody else's to change from then on. */
  initial?: Row;
}

/** How a kind of thing is found again. */
export interface KindRule {
  kind: Kind;
  table: keyof Schema;
  /** The column that says what the thing belongs to; none for what belongs to nothing. */
  parent?: string;
  /** The column of its name, unique among those of one parent as far as the file goes. */
  name: string;
  /** Whether the name is the same in capitals. */
  anyCase?: boolean;
}

export interface Placed {
  id: string;
  created: boolean;
}

/**
 * Makes the rows of one kind as declared and says which they are. A thing is known by its identifier, or, where the
 * file gives none, by its name.
 */
export async function placeRows(applying: Applying, rule: KindRule, declared: Declared[]): Promise<Placed[]> {
  if (declared.length === 0) return [];
  const { database, changes, environment } = applying;
  const textOf = (row: Row, column: string | undefined) => (column ? String(row[column] ?? '') : '');
  const nameOf = (row: Row) => (rule.anyCase ? textOf(row, rule.name).toLowerCase() : textOf(row, rule.name));
  const parentOf = (row: Row) => textOf(row, rule.parent);
  const wanted = declared.map((thing) => ({
    ...thing,
    id: thing.id ?? derivedId(environment, rule.kind, parentOf(thing.owned), nameOf(thing.owned)),
    named: thing.id !== undefined,
  }));

  const present = await findRows(database, rule, wanted, nameOf);
  const byId = new Map(present.map((row) => [row['id'], row]));
  const claimed = new Set(wanted.map(({ id }) => id));
  const namesakes = (owned: Row) =>
    present.filter(
      (row) =>
        nameOf(row) === nameOf(owned) &&
        parentOf(row) === parentOf(owned) &&
        !claimed.has(row['id'] as string),
    );

  const placed: Placed[] = [];
  const inserts: Row[] = [];
  const problems: Problem[] = [];
  for (const thing of wanted) {
    const { path, owned, initial } = thing;
    const others = namesakes(owned);
    const known = byId.get(thing.id);
    const row = known ?? (thing.named ? undefined : others[0]);
    if (row && parentOf(row) !== parentOf(owned)) {
      problems.push({
        path: [...path, 'id'],
        message: 'is taken: something that the file does not name has it',
      });
    } else if (!row && others[0] && isUnique(rule)) {
      const message = `is not the identifier of ${nameOf(owned)}, which is ${others[0]['id']}`;
      problems.push({ path: [...path, 'id'], message });
    } else if (row && !known && others.length > 1) {
      problems.push({ path: [...path, rule.name], message: 'is the name of several: give an id' });
    } else if (row) {
      const differs = Object.entries(owned).some(([column, value]) => !isDeepStrictEqual(row[column], value));
      if (differs) await updateRow(database, rule.table, row['id'] as string, owned);
      changes[rule.kind][differs ? 'updated' : 'unchanged'] += 1;
      placed.push({ id: row['id'] as string, created: false });
    } else {
      const moment = applying.nextMoment();
      inserts.push({ id: thing.id, ...owned, ...initial, created_at: thing.createdDateTime ?? moment });
      changes[rule.kind].created += 1;
      placed.push({ id: thing.id, created: true });
    }
  }
  if (problems.length > 0) applying.refuse(problems);
  await insertRows(database, rule.table, inserts);
  return placed;
}

const isUnique = ({ table }: KindRule) =>
  ['users', 'workspace_roles', 'organization_roles', 'webhook_endpoints'].includes(table);

async function findRows(
  database: Transaction,
  { table, parent, name, anyCase }: KindRule,
  wanted: { id: string; owned: Row }[],
  nameOf: (row: Row) => string,
): Promise<Row[]> {
  const ids = wanted.map(({ id }) => id);
  const names = [...new Set(wanted.map(({ owned }) => nameOf(owned)))];
  const parents = parent ? [...new Set(wanted.map(({ owned }) => owned[parent]))] : [];
  const sameName = sql`${anyCase ? sql`lower(${sql.ref(name)})` : sql.ref(name)} = any(${names}::text[])`;
  const sameParent = parent ? sql`and ${sql.ref(parent)} = any(${parents}::uuid[])` : sql``;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table)} where id = any(${ids}::uuid[]) or (${sameName} ${sameParent})
    order by created_at, id
  `.execute(database);
  return rows;
}

/** All at once, in one statement whose text does not depend on how many there are. */
export async function insertRows(database: Transaction, table: keyof Schema, rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(database);
}

async function updateRow(database: Transaction, table: keyof Schema, id: string, owned: Row): Promise<void> {
  const columns = Object.entries(owned).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(columns)} where id = ${id}`.execute(database);
}
