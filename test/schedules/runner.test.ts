import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { scheduleRunner } from '../../server/src/schedules/runner.ts';
import { archiveDefinition } from '../../server/src/store/archived-definitions.ts';
import { pauseSchedule, planSchedule } from '../../server/src/store/schedules.ts';
import type { StartExecution } from '../../server/src/workflows/start.ts';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { openProduction, openStarter, scheduleRow, startedTimes } from './support.ts';

let now = new Date('2026-05-04T09:00:10Z');
const clock = {
  now: () => now,
  forward(milliseconds: number) {
    now = new Date(now.getTime() + milliseconds);
  },
};

const { connectionString, database } = await openClone();
const { world, ...add } = await given(database, clock);
const starter = await openStarter(connectionString, () => now);
atEnd(() => starter.close());

const runnerOf = (startExecution: StartExecution = starter.startExecution, on = database) => {
  const outcomes: string[] = [];
  const runner = scheduleRunner({
    database: on,
    startExecution,
    logger: starter.logger,
    now: () => now,
    onResult: (outcome) => void outcomes.push(outcome),
  });
  return { ...runner, outcomes };
};

async function givenSchedule(fields: Parameters<typeof scheduleRow>[1] = {}) {
  const row = scheduleRow(world, fields);
  await database.insertInto('schedules').values(row).execute();
  return {
    name: row.name,
    stored: () =>
      database.selectFrom('schedules').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow(),
    started: () => startedTimes(database, row.name),
  };
}

const endAll = () =>
  sql`update executions set status = 'COMPLETED', ended_at = now() where ended_at is null`.execute(database);

beforeEach(async () => {
  now = new Date('2026-05-04T09:00:10Z');
  await database.deleteFrom('schedules').execute();
});

describe('a schedule that is due', () => {
  test('starts an execution as its user, with the scheduled time in its origin', async () => {
    const schedule = await givenSchedule({ parameters: { depth: 3 }, expires_after_seconds: 7200 });
    const runner = runnerOf();
    await runner.startDue();
    const stored = await schedule.stored();
    expect(stored).toMatchObject({
      last_outcome: 'started',
      last_reason: null,
      last_due_at: new Date('2026-05-04T09:00Z'),
      next_due_at: new Date('2026-05-04T09:01Z'),
    });
    const execution = await database
      .selectFrom('executions')
      .selectAll()
      .where('id', '=', stored.last_execution_id)
      .executeTakeFirstOrThrow();
    expect(execution).toMatchObject({
      parameters: { depth: 3 },
      started_by: world.owner.id,
      origin: { workspaceId: world.workspace.id, type: 'API' },
      result_origin: {
        type: 'USER',
        userId: world.owner.id,
        schedule: schedule.name,
        scheduledTime: '2026-05-04T09:00:00.000Z',
      },
      expires_at: new Date('2026-05-04T11:00:10Z'),
    });
    // As any other start: with its job and its event.
    const { rows } = await sql`
      select from production_jobs.job j join threads t on j.data->>'threadId' = t.id::text
      where t.execution_id = ${execution.id}`.execute(database);
    expect(rows).toHaveLength(1);
    const { rows: events } = await sql`
      select from events where type = 'workflow.started' and data->>'workflowId' = ${execution.id}`.execute(
      database,
    );
    expect(events).toHaveLength(1);
    await runner.startDue();
    expect(runner.outcomes).toEqual(['started']);
  });

  test('is started once per due time by four processes at once', async () => {
    const schedules = await Promise.all(Array.from({ length: 5 }, () => givenSchedule()));
    const runners = Array.from({ length: 4 }, () => {
      const own = openProduction(connectionString);
      atEnd(() => own.destroy());
      return runnerOf(starter.startExecution, own);
    });
    const expected: string[] = [];
    for (let minute = 0; minute < 5; minute++) {
      expected.push(new Date(Date.parse('2026-05-04T09:00Z') + minute * 60_000).toISOString());
      await Promise.all(runners.map((runner) => runner.startDue()));
      clock.forward(60_000);
    }
    for (const { started } of schedules) expect(await started()).toEqual(expected);
    expect(runners.flatMap(({ outcomes }) => outcomes)).toEqual(Array(25).fill('started'));
  });

  test('is as it was before if the start fails midway, and starts in the next round', async () => {
    const schedule = await givenSchedule();
    const before = await schedule.stored();
    const failing = runnerOf(async (...start) => {
      await starter.startExecution(...start);
      throw new Error('killed');
    });
    await failing.startDue();
    expect(await schedule.stored()).toEqual(before);
    expect(await schedule.started()).toEqual([]);
    await runnerOf().startDue();
    expect(await schedule.started()).toHaveLength(1);
  });

  test('does not keep others from starting if it fails', async () => {
    const broken = await givenSchedule({ next_due_at: new Date('2026-05-04T08:59:59Z') });
    const other = await givenSchedule();
    await runnerOf((transaction, start) =>
      start.resultOrigin?.['schedule'] === broken.name
        ? Promise.reject(new Error('broken'))
        : starter.startExecution(transaction, start),
    ).startDue();
    expect(await broken.started()).toEqual([]);
    expect(await other.started()).toHaveLength(1);
  });

  test('cannot be decided on twice for the same due time: a constraint forbids it', async () => {
    const schedule = await givenSchedule();
    await runnerOf().startDue();
    const { last_due_at: last, id } = await schedule.stored();
    const again = database
      .updateTable('schedules')
      .set({ next_due_at: last as Date })
      .where('id', '=', id);
    await expect(again.execute()).rejects.toThrow(/schedules_check/);
  });
});

describe('overlap', () => {
  test('skip notes the due time at which the last execution is running', async () => {
    const schedule = await givenSchedule({ overlap: 'skip' });
    const runner = runnerOf();
    await runner.startDue();
    clock.forward(60_000);
    await runner.startDue();
    expect(runner.outcomes).toEqual(['started', 'skipped']);
    expect(await schedule.stored()).toMatchObject({
      last_outcome: 'skipped',
      last_reason: 'the last execution is running',
    });
    await endAll();
    clock.forward(60_000);
    await runner.startDue();
    expect((await schedule.started()).map((time) => time.slice(11, 16))).toEqual(['09:00', '09:02']);
  });

  test('queue starts what waits when the running execution has ended, without a new due time', async () => {
    const schedule = await givenSchedule({ overlap: 'queue' });
    const runner = runnerOf();
    for (let minute = 0; minute < 3; minute++) {
      await runner.startDue();
      clock.forward(60_000);
    }
    clock.forward(-60_000);
    expect(runner.outcomes).toEqual(['started', 'queued', 'queued']);
    await runner.startDue();
    expect(await schedule.started()).toHaveLength(1);
    await endAll();
    await runner.startDue();
    expect((await schedule.stored()).waiting).toEqual([new Date('2026-05-04T09:02Z')]);
    await endAll();
    await runner.startDue();
    expect((await schedule.started()).map((time) => time.slice(11, 16))).toEqual(['09:00', '09:01', '09:02']);
  });
});

describe('a start that is refused', () => {
  const closed = { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] };
  const cases: [name: string, fields: () => Promise<Record<string, unknown>>, reason: RegExp][] = [
    [
      'its user is terminated',
      async () => ({
        user_id: (await add.terminatedUser(world.organization)).id,
      }),
      /^the user .* is TERMINATED$/,
    ],
    [
      'its parameters do not match the current revision',
      async () => ({
        workflow_definition_id: (
          await add.workflowDefinition({ workspace: world.workspace, inputSchema: closed })
        ).id,
      }),
      /^parameters\/depth is required$/,
    ],
    [
      'its definition has no document',
      async () => {
        const { id } = await add.workflowDefinition({ workspace: world.workspace });
        await database.deleteFrom('definition_revisions').where('workflow_definition_id', '=', id).execute();
        return { workflow_definition_id: id };
      },
      /^the definition has no document$/,
    ],
    [
      'its definition is archived',
      async () => {
        const { id } = await add.workflowDefinition({ workspace: world.workspace });
        await archiveDefinition(database, id, now);
        return { workflow_definition_id: id };
      },
      /^the definition is archived$/,
    ],
  ];
  test.each(cases)('is noted, and the schedule goes on: %s', async (_name, fields, reason) => {
    const schedule = await givenSchedule(await fields());
    const runner = runnerOf();
    await runner.startDue();
    expect(await schedule.stored()).toMatchObject({
      last_outcome: 'refused',
      last_reason: expect.stringMatching(reason),
      last_execution_id: null,
      next_due_at: new Date('2026-05-04T09:01Z'),
    });
    clock.forward(60_000);
    await runner.startDue();
    expect(runner.outcomes).toEqual(['refused', 'refused']);
  });
});

test('a pause discards what waits, and a changed calendar too', async () => {
  for (const change of [
    (id: string) => pauseSchedule(database, id, now),
    (id: string) => planSchedule(database, id, new Date('2026-05-04T09:10Z')),
  ]) {
    const schedule = await givenSchedule({ waiting: [new Date('2026-05-04T08:58Z')] });
    await change((await schedule.stored()).id);
    await runnerOf().startDue();
    expect([(await schedule.stored()).waiting, await schedule.started()]).toEqual([[], []]);
  }
});

test('a round in which nothing is due, or what is due waits, is one statement', async () => {
  const busy = await givenSchedule({ overlap: 'queue' });
  for (let minute = 0; minute < 2; minute++) {
    await runnerOf().startDue();
    clock.forward(60_000);
  }
  clock.forward(-60_000);
  expect((await busy.stored()).waiting).toHaveLength(1);
  await givenSchedule({
    // Its jitter is the same in each run.
    id: '7d1f0a34-9c2b-4f6e-8e15-3a2b1c0d9e01',
    next_due_at: new Date('2026-05-04T09:01Z'),
    cron: '1 * * * *',
    jitter_seconds: 3_500,
  });
  await givenSchedule({ next_due_at: new Date('2026-05-04T10:00Z') });
  await givenSchedule({ paused_at: now });
  const texts: string[] = [];
  const watched = openProduction(connectionString);
  atEnd(() => watched.destroy());
  const counting = watched.withPlugin({
    transformQuery: ({ node }) => {
      texts.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await runnerOf(starter.startExecution, counting).startDue();
  expect(texts).toHaveLength(1);
});
