import { type RawBuilder, sql } from 'kysely';
import { deleteInBatches } from '../../postgres-client/index.ts';
import { isUuid } from '../domain/identifiers.ts';
import { comparable } from './clock.ts';
import { usersNamed } from './credentials.ts';
import type { Database } from './database.ts';

/** An entry of the audit log. */
export interface AuditEntry {
  /** Its place in the log. */
  cursor: string;
  at: string;
  action: string;
  /** `name`: of a caller, the e-mail address of the user, if it is known. */
  actor: { kind: 'operator' | 'caller'; id: string; name: string | null; credentialId: string | null };
  source: string;
  requestId: string | null;
  organizationId: string | null;
  /** `name`: the e-mail address of a user, otherwise its name; null if it has none, or does not exist any more. */
  object: { kind: string; id: string; name: string | null };
  details: Record<string, unknown>;
  /** The same of the identifiers in the details. */
  names: Record<string, string>;
}

interface StoredEntry extends Omit<AuditEntry, 'cursor' | 'at' | 'object' | 'names'> {
  time: Date;
  number: number;
  object: { kind: string; id: string };
}

export interface AuditFilter {
  /** The name of a system user, or the id of a user. */
  actor?: string | undefined;
  action?: string | undefined;
  objectId?: string | undefined;
  /** Inclusive. */
  since?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
}

/** The place of an entry in the log. */
export type AuditPosition = [at: Date, id: number];

interface Page {
  /** Of the last entry of the previous page. */
  after?: AuditPosition | undefined;
  oldestFirst: boolean;
  size: number;
}

/**
 * A page of the audit log. Each filter has an index in the order of the log, so a page costs the same in a long log; with
 * several filters, one of them is found by its index.
 */
export async function listAuditEntries(
  database: Database,
  { actor, action, objectId, since, until }: AuditFilter,
  { after, oldestFirst, size }: Page,
): Promise<AuditEntry[]> {
  const order = oldestFirst ? sql`asc` : sql`desc`;
  const conditions: RawBuilder<unknown>[] = [];
  if (actor !== undefined) conditions.push(sql`actor = ${actor}`);
  if (action !== undefined) conditions.push(sql`action = ${action}`);
  if (objectId !== undefined) conditions.push(sql`object_id = ${objectId}`);
  if (since) conditions.push(sql`at >= ${comparable(since)}`);
  if (until) conditions.push(sql`at < ${comparable(until)}`);
  if (after !== undefined) {
    const [at, id] = after;
    conditions.push(sql`(at, id) ${oldestFirst ? sql`>` : sql`<`} (${at}::timestamptz, ${id}::bigint)`);
  }
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  const { rows } = await sql<StoredEntry>`
    select e.at as time, e.id as number, e.action, e.source, e.request_id as "requestId",
      e.organization_id as "organizationId",
      json_build_object('kind', e.actor_kind, 'id', e.actor, 'name', u.email, 'credentialId', e.credential_id) as actor,
      json_build_object('kind', e.object_kind, 'id', e.object_id) as object, e.details
    from (select * from audit_entries ${where} order by at ${order}, id ${order} limit ${size}) e
      left join users u on u.id = case e.actor_kind when 'caller' then e.actor::uuid end
    order by e.at ${order}, e.id ${order}`.execute(database);
  const names = await namesOf(database, rows.flatMap(identifiersIn));
  return rows.map(({ time, number, ...entry }) => ({
    cursor: `${time.getTime()}-${number}`,
    at: time.toISOString(),
    ...entry,
    object: { ...entry.object, name: names.get(entry.object.id) ?? null },
    names: Object.fromEntries(
      identifiersIn(entry).flatMap((id) => {
        const name = id === entry.object.id ? undefined : names.get(id);
        return name === undefined ? [] : [[id, name]];
      }),
    ),
  }));
}

/** The identifiers of the object and in the details. */
const identifiersIn = ({ object, details }: Pick<StoredEntry, 'object' | 'details'>): string[] =>
  [object.id, ...Object.values(details).flat()].filter(
    (value) => typeof value === 'string' && isUuid(value),
  ) as string[];

/** Tables whose rows have names, and the columns that have them. */
const named = [
  ['users', 'email'],
  ...[
    ...['organizations', 'organization_roles', 'workspaces', 'workspace_roles', 'tables', 'records', 'cases'],
    ...['workflow_definitions', 'executions', 'schedules', 'resources', 'attachments'],
    ...['organization_tokens', 'api_keys'],
  ].map((table) => [table, 'name'] as const),
] as const;

/** The names of what has these identifiers, in one statement: an index of each table is looked up. */
async function namesOf(database: Database, ids: string[]): Promise<Map<string, string>> {
  const lookups = named.map(
    ([table, column]) => sql`select ${sql.ref(column)} as name from ${sql.table(table)} where id = i.id`,
  );
  const { rows } = await sql<{ id: string; name: string }>`
    select i.id, n.name from unnest(${[...new Set(ids)]}::uuid[]) i (id)
      cross join lateral (${sql.join(lookups, sql` union all `)}) n`.execute(database);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The actor that an e-mail address, the id of a user or the name of a system user means.
 *
 * @returns undefined if several organizations have a user with this address
 */
export async function actorNamed(database: Database, reference: string): Promise<string | undefined> {
  const [user, second] = await usersNamed(database, reference);
  return second ? undefined : (user?.id ?? reference);
}

/** @returns undefined for a text that is no cursor */
export function auditPosition(cursor: string): AuditPosition | undefined {
  const [, at, id] = /^(\d{1,14})-(\d{1,15})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : [new Date(Number(at)), Number(id)];
}

/** Deletes the entries before a time. A trigger refuses every other deletion. @returns their number */
export function deleteAuditEntries(database: Database, before: Date): Promise<number> {
  return deleteInBatches(
    database,
    (limit) => sql`
      with allowed as materialized (select set_config('wrp.audit_retention', 'on', true)),
      old as materialized (
        select at, id from audit_entries, allowed where at < ${before}
        order by at, id limit ${limit} for update of audit_entries skip locked)
      delete from audit_entries e using old where e.at = old.at and e.id = old.id`,
  );
}
