import { inDatabase, openClient } from '../stored.ts';
import type { Ledger } from './load.ts';

/** History entries of an execution of each demo definition: more of them would be steps that ran twice. */
const historyEntries = { echo: 1, steps: 22, http: 3 };

interface Row {
  id: string;
  status: string;
  started: number;
  ended: number;
  entries: number;
}

/** The executions of a new platform, which belong to its demo. */
export async function demoExecutions(dataDirectory: string): Promise<string[]> {
  const { rows } = await inDatabase(dataDirectory, (client) =>
    client.query<{ id: string }>('select id::text from production.executions'),
  );
  return rows.map(({ id }) => id);
}

/**
 * Opens the database of a platform.
 *
 * @param place its connection string or data directory
 * @param demo the executions that were not started by the load
 */
export async function openVerdict(place: string, demo: readonly string[]) {
  const client = await openClient(place);
  return {
    async running(): Promise<number> {
      const { rows } = await client.query(
        "select count(*)::int as count from production.executions where status = 'RUNNING' and id <> all($1)",
        [demo],
      );
      return rows[0].count;
    },

    /** Each broken promise. */
    async problems({ acknowledged, calls }: Ledger): Promise<string[]> {
      const { rows } = await client.query<Row>(
        `
        select e.id, e.status,
          (select count(*)::int from production.events v
            where v.type = 'workflow.started' and v.data->>'workflowId' = e.id::text) as started,
          (select count(*)::int from production.events v where v.type in ('workflow.completed',
            'workflow.failed', 'workflow.expired') and v.data->>'workflowId' = e.id::text) as ended,
          (select count(*)::int from production.execution_history h where h.execution_id = e.id) as entries
        from production.executions e where e.id <> all($1)`,
        [demo],
      );
      const known = new Map(rows.map((row) => [row.id, row]));
      const lost = [...acknowledged.keys()].filter((id) => !known.has(id)).map((id) => `${id} is lost`);
      const { rows: left } = await client.query(
        'select count(*)::int as count from production.threads where execution_id <> all($1)',
        [demo],
      );
      return [
        ...lost,
        ...rows.flatMap((row) => problemsOf(row, acknowledged.get(row.id))),
        ...[...calls].filter(([, keys]) => keys.size > 1).map(([id]) => `${id} called with several keys`),
        ...(left[0].count > 0 ? [`${left[0].count} threads are left over`] : []),
      ];
    },

    [Symbol.asyncDispose]: () => client.end(),
  };
}

function problemsOf(
  { id, status, started, ended, entries }: Row,
  kind: keyof typeof historyEntries | undefined,
): string[] {
  if (!kind) return [`${id} was started twice: no response named it`];
  const problems = [];
  if (status !== 'COMPLETED') problems.push(`is ${status}`);
  if (started !== 1) problems.push(`has ${started} events of its start`);
  if (ended !== 1) problems.push(`has ${ended} events of its end`);
  if (entries !== historyEntries[kind])
    problems.push(`has ${entries} history entries instead of ${historyEntries[kind]}`);
  return problems.map((problem) => `${id} (${kind}) ${problem}`);
}
