import { sql } from 'kysely';
import type { JsonObject } from '../../json/index.ts';
import { firstDue } from '../schedules/decision.ts';
import { lockSchedulesOf, planSchedule } from '../store/schedules.ts';
import type { AppliedOrganization } from './apply-organization.ts';
import { checkParameters } from './check.ts';
import type {
  Path,
  ScheduleDeclaration,
  WorkflowDefinitionDeclaration,
  WorkspaceDeclaration,
} from './platform-file.ts';
import { resolveReferences } from './references.ts';
import { type ApplyContext, rowsOf, upsertRows } from './rows.ts';

/** Of a new schedule whose declaration does not mention them. */
const defaults = {
  time_zone: 'UTC',
  overlap: 'skip',
  catch_up: 'latest',
  jitter_seconds: 0,
  parameters: {},
};

/**
 * Applies the schedules of a workspace. A new calendar begins now, and so does a changed one. Whether a schedule is
 * paused is not changed.
 */
export async function applySchedules(
  context: ApplyContext,
  { schedules }: WorkspaceDeclaration,
  applied: {
    workspaceId: string;
    definitionIds: Map<WorkflowDefinitionDeclaration, string>;
    organization: AppliedOrganization;
    path: Path;
  },
): Promise<void> {
  // Before the first start of this release, a dry run finds no table.
  if (schedules.length === 0) return;
  const { workspaceId, definitionIds, organization, path } = applied;
  // The platform may be starting them.
  await lockSchedulesOf(context.database, workspaceId);
  const userIds = await organization.userIdsOf(
    schedules.map(({ user }, index) => ({ user, path: [...path, 'schedules', index, 'user'] })),
  );
  const schedulesPath: Path = [...path, 'schedules'];
  const ids = await resolveReferences(
    context,
    'workflow definition',
    { workspaceId, declared: definitionIds },
    schedules.map(({ definition }, index) => ({
      reference: definition,
      path: [...schedulesPath, index, 'definition'],
    })),
  );
  await checkStoredSchemas(context, schedules, ids, schedulesPath);
  const declared = rowsOf(schedules, schedulesPath, (schedule, index) => ({
    workspace_id: workspaceId,
    name: schedule.name,
    workflow_definition_id: ids[index],
    user_id: userIds[index],
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    overlap: schedule.overlap,
    catch_up: schedule.catchUp,
    jitter_seconds: schedule.jitterSeconds,
    expires_after_seconds: schedule.expiresAfterSeconds,
    parameters: schedule.parameters,
  }));
  const firstOf = (
    { cron, timeZone = defaults.time_zone }: { cron: string; timeZone?: string },
    last: Date | null,
  ) => firstDue({ cron, timeZone }, context.now, last);
  const rows = await upsertRows(
    context,
    'schedules',
    declared.map((row) => ({
      ...row,
      initial: { ...defaults, next_due_at: firstOf(row.declaration, null) },
    })),
  );
  for (const { id, declaration, stored } of rows) {
    if (!stored) continue;
    const { cron, timeZone = stored['time_zone'] as string } = declaration;
    if (cron === stored['cron'] && timeZone === stored['time_zone']) continue;
    await planSchedule(
      context.database,
      id,
      firstOf({ cron, timeZone }, stored['last_due_at'] as Date | null),
    );
  }
}

/** Checks the parameters with the stored input schemas: the file need not have the definition, nor its schema. */
async function checkStoredSchemas(
  { database, fail }: ApplyContext,
  schedules: ScheduleDeclaration[],
  definitionIds: string[],
  path: Path,
): Promise<void> {
  const { rows } = await sql<{ id: string; schema: JsonObject }>`
    select d.id, r.input_schema as schema from workflow_definitions d
    join definition_revisions r on r.workflow_definition_id = d.id and r.revision = d.revision
    where d.id = any(${definitionIds}::uuid[])`.execute(database);
  const schemas = new Map(rows.map(({ id, schema }) => [id, schema]));
  const problems = schedules.flatMap((schedule, index) =>
    checkParameters(schedule, schemas.get(definitionIds[index] as string), [...path, index]),
  );
  if (problems.length > 0) fail(problems);
}
