import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scheduleRow } from '../schedules/support.ts';
import { api } from '../support/api.ts';
import { echo } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';
import { runWrp, wrpOn } from '../support/wrp.ts';
import { smallPlatform } from './small-platform.ts';

const { connectionString } = await cloneDatabase();
const platform = await api({ databaseUrl: connectionString, clock: 'running', metricsPort: 0 });
const { owner, database, world, given } = platform;
const wrp = wrpOn(connectionString, 'schedule');
const executions = executionsOf(owner);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const definition = await given.workflowDefinition({ workspace: world.workspace, definition: echo });

/** A schedule that is due once a year, not now. */
async function givenSchedule(fields: Parameters<typeof scheduleRow>[1] = {}) {
  const row = scheduleRow(
    { ...world, workflowDefinition: definition },
    { cron: '0 0 1 1 *', next_due_at: inDays(30), overlap: 'skip', ...fields },
  );
  await database.insertInto('schedules').values(row).execute();
  return row;
}

const storedOf = (id: string) =>
  database.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the platform', () => {
  test('starts what is due within some seconds; the execution looks like any other in the API', async () => {
    const { id, name } = await givenSchedule({ next_due_at: new Date(Date.now() - 5_000) });
    const stored = await until(async () => {
      const row = await storedOf(id);
      return row.last_execution_id && row;
    });
    const execution = await executions.ended({ id: stored.last_execution_id as string });
    expect(execution).toMatchObject({
      executionType: 'BACKGROUND',
      origin: { workspaceId: world.workspace.id, type: 'API' },
    });
    const result = await (await executions.result(execution.id)).json();
    expect(result.origin).toEqual({
      userId: world.owner.id,
      firstName: expect.any(String),
      lastName: expect.any(String),
      email: world.owner.email,
      type: 'USER',
      schedule: name,
      scheduledTime: stored.last_due_at?.toISOString(),
    });
    const line = platform.log.find(({ scheduleId }) => scheduleId === id);
    expect(line).toMatchObject({ schedule: name, outcome: 'started', executionId: execution.id });
    const metrics = await (await fetch(`http://127.0.0.1:${platform.metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^wrp_schedules_total{environment="production",outcome="started"} 1$/m);
  });
});

describe('wrp schedule list', () => {
  test('shows the next and last due times, the outcome, and the execution with its status', async () => {
    const { id, name } = await givenSchedule({
      last_due_at: new Date('2026-01-01T00:00Z'),
      last_outcome: 'skipped',
      last_outcome_at: new Date('2026-01-01T00:00Z'),
      last_reason: `evil \u001b[2J${'x'.repeat(100)}`,
      waiting: [inDays(-1)],
      // Otherwise what waits starts.
      paused_at: new Date(),
    });
    const { status, stdout } = await wrp('list');
    expect(status).toBe(0);
    const line = stdout.split('\n').find((each) => each.includes(name)) ?? '';
    expect(line).toContain('0 0 1 1 * UTC');
    expect(line).toContain('2026-01-01 00:00:00Z');
    expect(line).toContain('skipped (1 waiting): evil \u{FFFD}[2J');
    expect(line).toContain('…');
    const listed = JSON.parse((await wrp('list', '--json')).stdout) as { id: string; lastReason: string }[];
    expect(listed.find((each) => each.id === id)).toMatchObject({
      workspace: { id: world.workspace.id },
      user: world.owner.email,
      lastOutcome: 'skipped',
      lastReason: expect.stringMatching(/x{100}$/),
      lastExecutionStatus: null,
    });
  });

  test('names the environment that has none', async () => {
    const { status, stderr } = await wrp('list', '-e', 'sandbox');
    expect([status, stderr]).toEqual([0, 'There are no schedules in sandbox.\n']);
  });
});

describe('wrp schedule pause and resume', () => {
  test('stop a schedule, and begin its calendar again after now', async () => {
    const { id, name } = await givenSchedule();
    expect((await wrp('pause', id)).stderr).toBe('The schedule is paused.\n');
    expect((await wrp('pause', name)).stderr).toBe('The schedule was already paused.\n');
    await database
      .updateTable('schedules')
      .set({ next_due_at: inDays(-30) })
      .where('id', '=', id)
      .execute();
    expect((await wrp('list')).stdout).toMatch(new RegExp(`${name}.* paused `));
    const resumed = JSON.parse((await wrp('resume', name, '--json')).stdout);
    expect(resumed).toEqual({
      id,
      paused: false,
      nextDueAt: expect.stringMatching(/^20\d\d-01-01T00:00:00/),
    });
    expect(Date.parse(resumed.nextDueAt)).toBeGreaterThan(Date.now());
    expect(await storedOf(id)).toMatchObject({ paused_at: null, next_due_at: new Date(resumed.nextDueAt) });
    expect((await wrp('resume', name)).stderr).toMatch(/^The schedule was not paused; next due 20/);
  });
});

describe('wrp schedule run', () => {
  test('starts an execution and prints its id, without a change of the calendar', async () => {
    const { id, name } = await givenSchedule();
    const before = await storedOf(id);
    const { status, stdout } = await wrp('run', name);
    expect(status).toBe(0);
    await executions.ended({ id: stdout.trim() });
    const { next_due_at, last_due_at } = await storedOf(id);
    expect([next_due_at, last_due_at]).toEqual([before.next_due_at, null]);
    const { outcome, executionId } = JSON.parse((await wrp('run', name, '--json')).stdout);
    expect([outcome, executionId]).toEqual(['started', (await storedOf(id)).last_execution_id]);
  });

  test('says why nothing was started', async () => {
    const user = await given.terminatedUser(world.organization);
    const { name } = await givenSchedule({ user_id: user.id });
    const { status, stderr } = await wrp('run', name);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Not started: refused, the user .* is TERMINATED\.\n$/),
    ]);
  });
});

describe('a name', () => {
  test('of schedules of several workspaces needs the workspace', async () => {
    const name = 'monthly';
    await givenSchedule({ name });
    const { id } = await givenSchedule({ name, workspace_id: world.otherWorkspace.id });
    const { status, stderr } = await wrp('pause', name);
    expect([status, stderr]).toEqual([1, expect.stringContaining('add --workspace')]);
    const chosen = await wrp('pause', name, '--workspace', world.otherWorkspace.id, '--json');
    expect(JSON.parse(chosen.stdout)).toEqual({ id, paused: true });
  });

  test.each(['pause', 'resume', 'run', 'next'])('that nothing has is an error of %s', async (command) => {
    const { status, stderr } = await wrp(command, 'nothing');
    expect([status, stderr]).toEqual([1, 'There is no schedule nothing in production.\n']);
  });
});

describe('wrp schedule next', () => {
  test('prints the due times of a cron expression in its zone, without a database', async () => {
    const { status, stdout } = await runWrp(
      ['schedule', 'next', '--cron', '30 2 * * *', '--time-zone', 'Asia/Kolkata', '--count', '3'],
      { env: { DATA_DIR: '/nonexistent' } },
    );
    expect(status).toBe(0);
    const [heading, ...lines] = stdout.trim().split('\n');
    expect(heading).toBe('DAY  ASIA/KOLKATA      OFFSET     UTC');
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(
        /^[A-Z][a-z]{2} {2}20\d\d-\d\d-\d\d 02:30 {2}UTC\+05:30 {2}20\d\d-\d\d-\d\d 21:00:00Z$/,
      );
  });

  test('prints future times of a paused schedule, and says that it is paused', async () => {
    const { name } = await givenSchedule({ next_due_at: inDays(-400), paused_at: inDays(-401) });
    const { stdout, stderr } = await wrp('next', name, '--count', '2');
    expect(stderr).toMatch(/^The schedule is paused: /);
    const thisYear = new Date().getUTCFullYear();
    expect(stdout).toContain(`${thisYear + 1}-01-01 00:00`);
    expect(stdout).toContain(`${thisYear + 2}-01-01 00:00`);
    const { paused, times } = JSON.parse((await wrp('next', name, '--json')).stdout);
    expect([paused, times[0]]).toEqual([true, `${thisYear + 1}-01-01T00:00:00.000Z`]);
  });

  test('begins with the next due time of a schedule', async () => {
    const { name, next_due_at } = await givenSchedule({ next_due_at: new Date('2031-01-01T00:00Z') });
    const { timeZone, times } = JSON.parse((await wrp('next', name, '--count', '2', '--json')).stdout);
    expect([timeZone, times]).toEqual(['UTC', [next_due_at.toISOString(), '2032-01-01T00:00:00.000Z']]);
  });

  const wrong: [args: string[], message: RegExp][] = [
    [[], /name a schedule, or a cron expression/],
    [['a', '--cron', '* * * * *'], /name a schedule, or a cron expression/],
    [['a', '--time-zone', 'UTC'], /--time-zone belongs to --cron/],
    [['--cron', '* * * * *', '--count', '0'], /from 1 to 1000/],
    [['--cron', '@daily'], /^--cron must be a cron expression of 5 fields/],
    [['--cron', '0 0 30 2 *'], /^--cron is not a cron expression/],
    [['--cron', '* * * * *', '--time-zone', 'Europe/Berln'], /^--time-zone must be a name/],
  ];
  test.each(wrong)('refuses %j', async (args, message) => {
    const ended = await wrp('next', ...args);
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe('wrp apply', () => {
  const schedules = (text: string) => `${smallPlatform}        schedules:\n          - ${text}\n`;
  const applied = async (text: string, ...options: string[]) => {
    const directory = await mkdtemp(join(temporaryRoot(), 'wrp-schedules-'));
    await writeFile(join(directory, 'p.yaml'), schedules(text));
    return runWrp(['apply', 'p.yaml', ...options], { directory, env: { DATABASE_URL: connectionString } });
  };
  const monday = `{ name: weekly, definition: echo, user: ada@lake.example, cron: '0 9 * * 1'`;
  const weekly = () =>
    database.selectFrom('schedules').selectAll().where('name', '=', 'weekly').executeTakeFirst();

  test('shows a new schedule in a dry run, and adds it with its defaults', async () => {
    const dry = await applied(`${monday} }`, '--dry-run');
    expect(dry.stdout).toMatch(/^schedules +1 +0 +0 +0$/m);
    expect(await weekly()).toBeUndefined();
    await applied(`${monday} }`);
    const stored = await weekly();
    expect(stored).toMatchObject({
      time_zone: 'UTC',
      overlap: 'skip',
      catch_up: 'latest',
      jitter_seconds: 0,
      expires_after_seconds: null,
      parameters: {},
      paused_at: null,
    });
    expect(stored?.next_due_at.toISOString()).toMatch(/T09:00:00.000Z$/);
    expect(stored?.next_due_at.getUTCDay()).toBe(1);
  });

  test('begins a changed calendar anew, and keeps that of other changes, the pause and the id', async () => {
    await applied(`${monday} }`);
    const before = await weekly();
    await database
      .updateTable('schedules')
      .set({ paused_at: new Date() })
      .where('name', '=', 'weekly')
      .execute();
    const changed = await applied(`${monday}, overlap: queue, parameters: { a: 1 } }`);
    expect(changed.stdout).toMatch(/^schedules +0 +1 +0 +0$/m);
    expect(await weekly()).toMatchObject({
      id: before?.id,
      overlap: 'queue',
      parameters: { a: 1 },
      next_due_at: before?.next_due_at,
      paused_at: expect.any(Date),
    });
    await applied(`${monday}, timeZone: Asia/Kolkata }`);
    const moved = await weekly();
    expect(moved).toMatchObject({ id: before?.id, overlap: 'queue', time_zone: 'Asia/Kolkata' });
    expect(moved?.next_due_at.toISOString()).toMatch(/T03:30:00.000Z$/);
  });

  test('takes the example of the guide, whose due times are those of the night in Berlin', async () => {
    const guide = await readFile('spec/guides/definitions.md', 'utf8');
    const [, example = ''] = /^## Schedules$.*?^```yaml\n(.*?)^```$/ms.exec(guide) ?? [];
    const directory = await mkdtemp(join(temporaryRoot(), 'wrp-schedules-'));
    await writeFile(join(directory, 'p.yaml'), example);
    const { connectionString: own } = await cloneDatabase();
    const surroundings = { directory, env: { DATABASE_URL: own } };
    const { status, stdout } = await runWrp(['apply', 'p.yaml'], surroundings);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^schedules +1 +0 +0 +0$/m)]);
    const next = await runWrp(['schedule', 'next', 'nightly-report', '--count', '5'], surroundings);
    expect(next.stdout.match(/^(Mon|Tue|Wed|Thu|Fri) {2}\S+ 02:30 /gm)).toHaveLength(5);
  });

  const invalid: [change: (text: string) => string, message: RegExp][] = [
    [(text) => text.replace('0 9', '0 25'), /:32:77 .*schedules\[0\]\.cron is not a cron expression/],
    [(text) => text.replace('0 9 * * 1', '@daily'), /\.cron must be a cron expression of 5 fields/],
    [(text) => `${text}, timeZone: CET+1`, /\.timeZone must be a name of the IANA/],
    [
      (text) => text.replace('echo', 'other'),
      /\.definition is not a workflow definition of the workspace: other/,
    ],
    [(text) => text.replace('ada@', 'eve@'), /\.user is not a user of the organization: eve@lake.example/],
    [(text) => `${text}, overlap: wait`, /\.overlap must be one of skip, queue, allow/],
    [(text) => `${text}, jitterSeconds: 1.5`, /\.jitterSeconds must be a whole number/],
    [(text) => `${text}, expiresAfterSeconds: 60`, /\.expiresAfterSeconds must be >= 3600/],
    [(text) => `${text}, parameters: [1]`, /\.parameters must be a mapping/],
    [(text) => `${text}, paused: true`, /\.paused is not a known property/],
    [(text) => `${text} }\n          - ${text}`, /schedules\[1\]\.name is not unique/],
  ];
  test.each(invalid)('reports the place of each error: %#', async (change, message) => {
    const { status, stderr } = await applied(`${change(monday)} }`, '--dry-run');
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  test('takes parameters with any names, also those that the file uses for ids', async () => {
    const parameters = `parameters: { id: a, roleIds: { owner: a } } }`;
    const { status, stderr } = await applied(
      `${monday}, ${parameters}\n          - ${monday.replace('weekly', 'other')}, ${parameters}`,
      '--dry-run',
    );
    expect([status, stderr]).toEqual([0, 'Dry run: nothing was changed.\n']);
  });

  test('reports parameters that the input schema of the file refuses', async () => {
    const schema = "revision: '1'\n            inputSchema: { type: object, required: [day] }";
    const directory = await mkdtemp(join(temporaryRoot(), 'wrp-schedules-'));
    const text = schedules(`${monday}, parameters: { dai: 1 } }`).replace("revision: '1'", schema);
    await writeFile(join(directory, 'p.yaml'), text);
    const { status, stderr } = await runWrp(['apply', 'p.yaml', '--dry-run'], {
      directory,
      env: { DATABASE_URL: connectionString },
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/\.parameters .*day/)]);
  });
});
