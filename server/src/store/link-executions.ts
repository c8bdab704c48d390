import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { ExecutionStatus } from './schema.ts';

/** An execution that a link started, with what its page shows. */
export interface LinkExecution {
  id: string;
  status: ExecutionStatus;
  locale: string;
  createdAt: Date;
  endedAt: Date | null;
  /** As of the start of the execution. */
  definition: { name: string; defaultLocale: string; uiOptions: unknown };
  caseName: string;
  workspaceType: 'LIVE' | 'SANDBOX';
  organization: string;
}

/** @returns undefined if the execution does not exist or was not started by a link */
export async function findLinkExecution(database: Database, id: string): Promise<LinkExecution | undefined> {
  const { rows } = await sql<LinkExecution>`
    select e.id, e.status, e.locale, e.created_at as "createdAt", e.ended_at as "endedAt",
      json_build_object('name', e.name, 'defaultLocale', e.locale, 'uiOptions', r.ui_options) as definition,
      c.name as "caseName", w.type as "workspaceType", o.name as organization
    from executions e join links l on l.execution_id = e.id join cases c on c.id = l.case_id
      join definition_revisions r on r.id = e.definition_revision_id
      join workspaces w on w.id = e.workspace_id join organizations o on o.id = w.organization_id
    where e.id = ${id}`.execute(database);
  return rows[0];
}
