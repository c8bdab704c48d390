import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createActors } from '../support/actors.ts';
import { executionsOf } from '../support/executions.ts';
import { olderNode } from '../support/foreign-toolchains.ts';
import { givenParts, startPart } from '../support/parts.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { spawnWrp } from '../support/wrp.ts';

const { cloned, database, directory, ports, world, shared } = await givenParts();
// Commands refuse while others use the database.
await database.destroy();
const { SERVER_KEY: key } = shared;

describe('wrp serve and wrp work', () => {
  test('share one database: one accepts executions, the other runs them, each within its connections', async () => {
    const [server, worker] = await Promise.all([
      startPart('serve', { ...shared, DATABASE_CONNECTIONS: '16' }),
      startPart('work', {
        ...shared,
        DATABASE_CONNECTIONS: '16',
        METRICS_PORT: `${ports.metrics}`,
      }),
    ]);
    try {
      const ready = await fetch(`http://127.0.0.1:${ports.metrics}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
      const { owner } = createActors(`http://127.0.0.1:${ports.production}`, world);
      const executions = executionsOf(owner);
      const workflowDefinitionId = world.workflowDefinition.id;
      const started = await Promise.all(
        Array.from({ length: 40 }, () => executions.start({ workflowDefinitionId })),
      );
      await Promise.all(started.map((execution) => executions.ended(execution)));
      expect(await connections()).toBeLessThanOrEqual(32);
    } finally {
      expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0]);
    }
  });

  test.skipIf(!olderNode)(
    'started by an older Node, end with it: its supervisor starts others on their ports',
    async () => {
      for (let start = 0; start < 2; start++) {
        const { kill } = await startPart('serve', shared, olderNode);
        await kill();
        const ends = () => fetch(`http://127.0.0.1:${ports.production}/healthz`).catch(() => 'ended');
        await expect.poll(ends, { timeout: scaledTimeout(2_000) }).toBe('ended');
      }
    },
  );

  test.skipIf(!olderNode)(
    'started by an older Node, stop gracefully when a signal reaches launcher and program',
    async () => {
      for (const command of ['serve', 'work'] as const) {
        const { stopGroup } = await startPart(command, shared, olderNode);
        expect([command, await stopGroup()]).toEqual([command, 0]);
      }
    },
  );

  test('refuse a server key other than that of the database in one line', async () => {
    const other = { ...shared, SERVER_KEY: 'other'.repeat(9) };
    for (const command of ['serve', 'work']) {
      const { status, stderr } = await spawnWrp([command], { env: other });
      expect([status, stderr.trimEnd().split('\n')]).toEqual([
        1,
        [expect.stringMatching(/^The server key is not/)],
      ]);
    }
    const adopted = await spawnWrp(['database', 'adopt-key', '--json'], { env: other });
    expect(JSON.parse(adopted.stdout)).toEqual({
      environments: { production: 'adopted', sandbox: 'adopted' },
    });
    const { status, stderr } = await spawnWrp(['work'], { env: shared });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The server key is not/)]);
    await spawnWrp(['database', 'adopt-key'], { env: shared });
  });

  test.each([
    ['serve', 'DATABASE_URL', /^wrp serve needs DATABASE_URL: /],
    ['work', 'SERVER_KEY', /^wrp work needs SERVER_KEY or SERVER_KEY_FILE: /],
    ['work', 'SANDBOX_PUBLIC_URL', /^wrp work needs PUBLIC_URL and SANDBOX_PUBLIC_URL: /],
  ])('%s without %s is refused in one line', async (command, missing, message) => {
    const { [missing]: _, ...env } = shared as NodeJS.ProcessEnv;
    const { status, stderr } = await spawnWrp([command], { env });
    expect([status, stderr.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
  });

  test('read the server key from a file', async () => {
    const { SERVER_KEY, ...env } = shared;
    const { status, stderr } = await spawnWrp(['work'], {
      env: { ...env, SERVER_KEY_FILE: join(directory, 'no') },
    });
    expect([status, stderr]).toEqual([1, `SERVER_KEY_FILE ${join(directory, 'no')} does not exist.\n`]);
    expect(SERVER_KEY).toBe(key);
  });
});

test('wrp database url prints the connection string', async () => {
  const { stdout } = await spawnWrp(['database', 'url'], { env: shared });
  expect(stdout).toBe(`${cloned.connectionString}\n`);
});

/** Counts the connections of all processes but this one. */
async function connections(): Promise<number> {
  const client = new pg.Client({ connectionString: cloned.connectionString });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await client.end();
  return rows[0].count;
}
