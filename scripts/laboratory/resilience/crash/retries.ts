import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveLocally } from '../../../command-line/local-server.ts';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import { type PlatformProcess, startPlatform } from '../platform.ts';
import { inDatabase } from '../stored.ts';

export interface RetryReport {
  cycles: number;
  /** Executions that failed once and were retried. */
  executions: number;
  /** How often `wrp execution retry` was killed before it was done, and how many executions these commands retried. */
  interrupted: number;
  retried: number;
  /** Each broken promise. */
  problems: string[];
}

const root = join(import.meta.dirname, '../../../..');
const items = [1, 2, 3, 4];
/** The item whose first call fails. */
const failing = 3;
/**
 * History entries of an execution: its fork, a task and a state of each item, the failures of an item and of the Map, the
 * retry, the task of the item that failed, and two states.
 */
const historyEntries = 1 + items.length * 2 + 2 + 1 + 1 + 2;

/**
 * Lets executions fail, retries them in bulk, and kills the command or the platform with SIGKILL meanwhile, again and
 * again. Each must be retried once and complete, with one call of each item, and a second one of the item that failed.
 *
 * @param starts executions that each cycle starts
 */
export async function retryCycles({
  cycles,
  starts = 10,
  progress = () => {},
  signal,
}: {
  cycles: number;
  starts?: number;
  progress?: (line: string) => void;
  signal?: AbortSignal;
}): Promise<RetryReport> {
  await using data = await temporaryDirectory('retries');
  const { path: dataDirectory } = data;
  /** The idempotency keys of each item, in the order in which they arrived. */
  const keys = new Map<string, string[]>();
  using called = await serveLocally(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { workflowId, item } = JSON.parse(body) as { workflowId: string; item: number };
    const key = String(request.headers['idempotency-key']);
    const known = keys.get(`${workflowId} ${item}`) ?? [];
    if (!known.includes(key)) keys.set(`${workflowId} ${item}`, [...known, key]);
    const fails = item === failing && (known.length === 0 || known[0] === key);
    response.writeHead(fails ? 503 : 200, { 'Content-Type': 'application/json' }).end('{}');
  });
  const ids = new Set<string>();
  let interrupted = 0;
  let platform = await startPlatform(dataDirectory);
  const definitionId = platform.demo.definitions['echo'] as string;
  try {
    await inDatabase(dataDirectory, async (client) => {
      await client.query(
        `insert into production.definition_revisions
          (id, workflow_definition_id, revision, document, input_schema, ui_options)
          values (gen_random_uuid(), $1, 'failing', $2, '{}', '{}')`,
        [definitionId, JSON.stringify(definition(called.url))],
      );
      await client.query(`update production.workflow_definitions set revision = 'failing' where id = $1`, [
        definitionId,
      ]);
    });
    for (let cycle = 1; cycle <= cycles; cycle++) {
      signal?.throwIfAborted();
      const started = await startAll(platform, definitionId, starts);
      for (const id of started) ids.add(id);
      await untilNoneRuns(dataDirectory, [...started]);
      const before = await countRetried(dataDirectory, [...ids]);
      const command = retryCommand(dataDirectory, definitionId);
      const some = Math.ceil(Math.random() * (starts - 1));
      // A machine under load needs seconds to start the command.
      while (command.isRunning() && (await countRetried(dataDirectory, [...ids])) < before + some)
        await sleep(20);
      await sleep(Math.random() * 80);
      if (command.isRunning()) interrupted += 1;
      await command.kill();
      const isPlatformKilled = cycle % 2 === 0;
      if (isPlatformKilled) {
        await platform.kill();
        platform = await startPlatform(dataDirectory);
      }
      progress(`cycle ${cycle}: killed ${isPlatformKilled ? 'both' : 'the command'} after ${some} retries`);
    }
    const retried = await countRetried(dataDirectory, [...ids]);
    await retryCommand(dataDirectory, definitionId).ended;
    await untilNoneRuns(dataDirectory, [...ids]);
    const problems = [...(await problemsOf(dataDirectory, [...ids])), ...callProblems(keys)];
    return { cycles, executions: ids.size, interrupted, retried, problems };
  } finally {
    await platform.kill();
  }
}

const definition = (url: string) => ({
  QueryLanguage: 'JSONata',
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      Items: items,
      MaxConcurrency: 2,
      ItemProcessor: {
        StartAt: 'Call',
        States: {
          Call: {
            Type: 'Task',
            Resource: 'wrp:http:call',
            Arguments: {
              url,
              method: 'POST',
              body: { workflowId: '{% $states.context.Execution.Id %}', item: '{% $states.input %}' },
            },
            End: true,
          },
        },
      },
      Next: 'Done',
    },
    Done: { Type: 'Succeed', Output: { items: '{% $count($states.input) %}' } },
  },
});

async function startAll({ demo }: PlatformProcess, definitionId: string, count: number): Promise<string[]> {
  const start = async () => {
    const response = await fetch(`${demo.baseUrl}/workflows`, {
      method: 'POST',
      headers: { Authorization: demo.organizationToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ workflowDefinitionId: definitionId }),
    });
    return ((await response.json()) as { id: string }).id;
  };
  return Promise.all(Array.from({ length: count }, start));
}

/** `wrp execution retry` on all that have failed. */
function retryCommand(dataDirectory: string, definitionId: string) {
  const words = ['execution', 'retry', '--status', 'FAILED', '--definition', definitionId, '--rate', '15'];
  const child = spawn(process.execPath, ['server/src/cli/main.ts', ...words], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDirectory, DATABASE_URL: '' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    ended,
    isRunning,
    async kill() {
      if (isRunning()) child.kill('SIGKILL');
      await ended;
    },
  };
}

const longestWait = 60_000;

async function untilNoneRuns(dataDirectory: string, ids: string[]): Promise<void> {
  const deadline = performance.now() + longestWait;
  await inDatabase(dataDirectory, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select count(*)::int as running from production.executions where status = 'RUNNING' and id = any($1)`,
        [ids],
      );
      if (rows[0].running === 0) return;
      if (performance.now() > deadline) throw new Error(`${rows[0].running} executions are stuck.`);
      await sleep(100);
    }
  });
}

async function countRetried(dataDirectory: string, ids: string[]): Promise<number> {
  const { rows } = await inDatabase(dataDirectory, (client) =>
    client.query<{ count: number }>(
      `select count(distinct execution_id)::int as count from production.execution_history
      where kind = 'retried' and execution_id = any($1)`,
      [ids],
    ),
  );
  return rows[0]?.count ?? 0;
}

interface Row {
  id: string;
  status: string;
  version: number;
  ends: string[];
  entries: number;
  retries: number;
  threads: number;
}

async function problemsOf(dataDirectory: string, ids: string[]): Promise<string[]> {
  const { rows } = await inDatabase(dataDirectory, (client) =>
    client.query<Row>(
      `select e.id, e.status, e.version::int,
        array(select v.type from production.events v
          where v.data->>'workflowId' = e.id::text order by v.created_at, v.type) as ends,
        (select count(*)::int from production.execution_history h where h.execution_id = e.id) as entries,
        (select count(*)::int from production.execution_history h
          where h.execution_id = e.id and h.kind = 'retried') as retries,
        (select count(*)::int from production.threads t where t.execution_id = e.id) as threads
      from production.executions e where e.id = any($1)`,
      [ids],
    ),
  );
  const expected = {
    status: 'COMPLETED',
    version: 4,
    ends: 'workflow.started,workflow.failed,workflow.completed',
    entries: historyEntries,
    retries: 1,
    threads: 0,
  };
  return rows.flatMap((row) =>
    Object.entries({ ...row, ends: row.ends.join() })
      .filter(([name, value]) => name in expected && expected[name as keyof typeof expected] !== value)
      .map(([name, value]) => `${row.id} has ${value} as ${name}`),
  );
}

function callProblems(keys: Map<string, string[]>): string[] {
  return [...keys].flatMap(([call, { length }]) => {
    const expected = call.endsWith(` ${failing}`) ? 2 : 1;
    return length === expected ? [] : [`${call} was called with ${length} keys instead of ${expected}`];
  });
}
