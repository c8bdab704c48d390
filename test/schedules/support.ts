import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../server/json/index.ts';
import { inputSchemas, openSchemaPool } from '../../server/json-schema/index.ts';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { executionStarter, type StartExecution } from '../../server/src/workflows/start.ts';

/** What starts executions of production, in a process without workers. */
export async function openStarter(connection: string, now: () => Date) {
  const logger = openLogger('silent');
  const jobs = await openJobs({ connection, schema: 'production_jobs', logger, works: false });
  const pool = openSchemaPool();
  const startExecution: StartExecution = executionStarter({ jobs, schemas: inputSchemas(pool, logger), now });
  return { startExecution, logger, close: async () => void (await Promise.all([jobs.stop(), pool.close()])) };
}

export const openProduction = (connection: string): Database =>
  openDatabase({ connection, schema: 'production', poolSize: 2 });

/** A schedule of an existing definition and user, due every minute. */
export function scheduleRow(
  of: { workspace: { id: string }; workflowDefinition: { id: string }; owner: { id: string } },
  { parameters = {}, ...fields }: { parameters?: JsonObject; [column: string]: unknown } = {},
) {
  const id = randomUUID();
  return {
    id,
    workspace_id: of.workspace.id,
    name: `schedule ${id}`,
    workflow_definition_id: of.workflowDefinition.id,
    user_id: of.owner.id,
    cron: '* * * * *',
    time_zone: 'UTC',
    overlap: 'allow' as const,
    catch_up: 'latest' as const,
    jitter_seconds: 0,
    parameters: JSON.stringify(parameters),
    next_due_at: new Date('2026-05-04T09:00Z'),
    ...fields,
  };
}

/** The scheduled times of a schedule's executions, in order. */
export async function startedTimes(database: Database, name: string): Promise<string[]> {
  const rows = await database.selectFrom('executions').select('result_origin').execute();
  return rows
    .map(({ result_origin: origin }) => origin as { schedule?: string; scheduledTime: string })
    .filter(({ schedule }) => schedule === name)
    .map(({ scheduledTime }) => scheduledTime)
    .toSorted();
}
