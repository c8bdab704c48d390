import { sql } from 'kysely';
import type { Database } from './database.ts';
import { markDefinition } from './definitions.ts';

/** Archives a definition: it cannot be started any more. Executions, revisions, schedules and links stay. */
export async function archiveDefinition(
  database: Database,
  id: string,
  now: Date,
): Promise<'archived' | 'already_archived'> {
  const changed = await markDefinition(database, id, { column: 'archived_at', at: now });
  return changed ? 'archived' : 'already_archived';
}

/** Makes an archived definition startable again. */
export async function restoreDefinition(
  database: Database,
  id: string,
): Promise<'restored' | 'not_archived'> {
  const changed = await markDefinition(database, id, { column: 'archived_at', at: null });
  return changed ? 'restored' : 'not_archived';
}

export const maxOpenLinks = 1_000;

/** What would start executions of a definition. */
export interface DefinitionStarters {
  /** Names of schedules that are not paused. */
  schedules: string[];
  /** Single-use links that can be used; `maxOpenLinks` at most. */
  openLinks: number;
}

export async function startersOf(database: Database, id: string, now: Date): Promise<DefinitionStarters> {
  // Links expire within days, so those that have not are a short range of the index `links_ended`.
  const { rows } = await sql<DefinitionStarters>`
    select array(select name from schedules where workflow_definition_id = ${id} and paused_at is null
        order by name) as schedules,
      (select count(*)::integer from (
        select from links where least(used_at, expires_at) > ${now} and used_at is null and revoked_at is null
          and workflow_definition_id = ${id} limit ${maxOpenLinks}) open) as "openLinks"`.execute(database);
  return rows[0] as DefinitionStarters;
}
