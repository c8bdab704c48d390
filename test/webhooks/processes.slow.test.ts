import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../server/src/store/database.ts';
import { createActors } from '../support/actors.ts';
import { type Api, api } from '../support/api.ts';
import { given, type World } from '../support/given.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { eventIds, givenEndpoint, hurry, makeEvents, nothingUnderWay, toThisMachine } from './support.ts';

vi.setConfig({ testTimeout: scaledTimeout(180_000) });

const program = join(import.meta.dirname, 'platform-process.ts');

/** Waits until no other connection executes a statement: a commit of a killed process may be in progress. */
async function nothingExecuting(database: Database): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid()`.execute(database);
    return rows.length === 0;
  });
}

describe('two platforms on one database', () => {
  test('deliver each event once', async () => {
    const shared = await cloneDatabase();
    const settings = { ...toThisMachine, databaseUrl: shared.connectionString };
    const one = await api(settings);
    const other = await api({ ...settings, dataDirectory: one.dataDirectory });
    const [ours, theirs] = [await startReceiver(), await startReceiver()];
    const { database } = one;
    const endpoints = [
      await givenEndpoint(database, { url: ours.url, organizationId: one.world.organization.id }),
      await givenEndpoint(database, { url: theirs.url, organizationId: other.world.organization.id }),
    ];
    const [first, second] = await Promise.all([makeEvents(one, 100), makeEvents(other, 100)]);
    const ids = new Set([...first, ...second]);
    const arrived = () => [...ours.taken, ...theirs.taken].map(({ id }) => id);
    await until(() => new Set(arrived()).size >= 200);
    for (const endpoint of endpoints) await nothingUnderWay(database, endpoint);
    expect(arrived()).toHaveLength(200);
    expect(new Set(arrived())).toEqual(ids);
    const kids = await database.selectFrom('webhook_keys').select('id').execute();
    expect(kids).toHaveLength(1);
  });
});

describe('a platform that is killed', () => {
  interface Started {
    kill(signal: NodeJS.Signals): Promise<void>;
    baseUrl: string;
  }

  /** Restarts a platform that could not start on a slow database, as a supervisor would. */
  async function start(databaseUrl: string, dataDirectory: string, tries = 3): Promise<Started> {
    const child: ChildProcess = spawn(process.execPath, [program, databaseUrl, dataDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
    if (line === undefined) {
      if (tries > 1) return start(databaseUrl, dataDirectory, tries - 1);
      throw new Error('The platform did not start.');
    }
    const kill = async (signal: NodeJS.Signals) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    };
    onTestFinished(() => kill('SIGKILL'));
    return { kill, baseUrl: (JSON.parse(line as string) as { production: string }).production };
  }

  /** Makes events until the abort, or until the platform ends. */
  function load(baseUrl: string, token: string, workflowDefinitionId: string) {
    let stopped = false;
    let acknowledged = 0;
    const calling = async () => {
      while (!stopped) {
        const sent = fetch(`${baseUrl}/parameters`, {
          method: 'POST',
          headers: { Authorization: token, 'Content-Type': 'application/json' },
          body: JSON.stringify({ workflowDefinitionId, parameters: {} }),
        });
        const response = await sent.catch(() => undefined);
        if (!response) return;
        if (response.status === 201) acknowledged++;
        await sleep(10);
      }
    };
    const callers = [calling(), calling(), calling(), calling()];
    return {
      acknowledged: () => acknowledged,
      /** @returns the number of acknowledged ones */
      async stop() {
        stopped = true;
        await Promise.all(callers);
        return acknowledged;
      },
    };
  }

  describe('five times', () => {
    let shared: ClonedDatabase;
    let dataDirectory: string;
    let database: Database;
    let world: World;
    let receiver: Receiver;
    let acknowledged = 0;
    beforeAll(async () => {
      shared = await cloneDatabase();
      dataDirectory = await mkdtemp(join(tmpdir(), 'wrp-killed-'));
      database = openDatabase({
        connection: shared.connectionString,
        schema: 'production',
        poolSize: 2,
      });
      atEnd(() => rm(dataDirectory, { recursive: true, force: true }));
      atEnd(() => database.destroy());
      ({ world } = await given(database, { now: () => new Date(), forward: () => {} }));
      // Slow enough that some attempts are always in progress.
      receiver = await startReceiver((response) => {
        setTimeout(() => response.writeHead(204).end(), 20 + Math.random() * 100);
      });
      await givenEndpoint(database, { url: receiver.url, organizationId: world.organization.id });
    });

    test.each([1, 2, 3, 4, 5])('acknowledges events until kill %i', async () => {
      const platform = await start(shared.connectionString, dataDirectory);
      const callers = load(platform.baseUrl, world.owner.token, world.workflowDefinition.id);
      const enough = 20 + Math.random() * 80;
      await until(() => callers.acknowledged() > enough, { interval: 5 });
      await platform.kill('SIGKILL');
      acknowledged += await callers.stop();
    });

    test('loses no event, and repeats one only with the same id', async () => {
      await nothingExecuting(database);
      const ids = await eventIds(database);
      expect(ids.length).toBeGreaterThanOrEqual(acknowledged);
      expect(acknowledged).toBeGreaterThan(100);

      const platform = await start(shared.connectionString, dataDirectory);
      hurry(database);
      await receiver.hasTaken(ids, scaledTimeout(60_000));
      const bodies = new Map<string, Set<string>>();
      for (const { event, body } of receiver.received) {
        bodies.set(event.id, (bodies.get(event.id) ?? new Set()).add(body.toString()));
      }
      expect([...bodies.keys()].sort()).toEqual(ids.sort());
      expect([...bodies.values()].every((variants) => variants.size === 1)).toBe(true);
      await expect
        .poll(() =>
          database.selectFrom('webhook_deliveries').select('id').where('status', '!=', 'delivered').execute(),
        )
        .toEqual([]);
      await platform.kill('SIGTERM');
    });
  });

  test('hands over deliveries in progress when it stops', async () => {
    const shared = await cloneDatabase();
    const platform: Api = await api({ ...toThisMachine, databaseUrl: shared.connectionString });
    const { database, world } = platform;
    let respondsAt = Number.POSITIVE_INFINITY;
    const receiver = await startReceiver((response) => {
      if (performance.now() > respondsAt) response.writeHead(204).end();
    });
    const { kill, baseUrl } = await start(shared.connectionString, platform.dataDirectory);
    await givenEndpoint(database, { url: receiver.url, organizationId: world.organization.id });
    const elsewhere = { ...platform, ...createActors(baseUrl, world) };
    const ids = await makeEvents(elsewhere, 5);
    await expect.poll(() => receiver.received.length).toBe(5);
    respondsAt = performance.now();
    const startedAt = performance.now();
    await kill('SIGTERM');
    // Its own limit is 15 s.
    expect(performance.now() - startedAt).toBeLessThan(scaledTimeout(40_000));
    await receiver.hasTaken(ids, scaledTimeout(60_000));
  });
});
