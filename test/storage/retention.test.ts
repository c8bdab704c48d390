import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../server/src/config.ts';
import { workers } from '../../server/src/maintenance/workers.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { useLink } from '../../server/src/store/links.ts';
import type { Schema } from '../../server/src/store/schema.ts';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';
import { blockedBy, until } from '../support/waiting.ts';
import { workflowsOf } from '../sweeps/support/workflows.ts';

const platform = await api();
const { owner, database, blobs, world, clock } = platform;
const workflows = workflowsOf(platform);
const day = 86_400_000;
const after = (days: number) => new Date(clock.now().getTime() + days * day);
const justBefore = (moment: Date) => new Date(moment.getTime() - 1);

const log: Record<string, unknown>[] = [];
const logger = openLogger('info', { write: (line) => void log.push(JSON.parse(line)) });

/** Runs the platform's maintenance at a given time. */
async function maintain(now: Date, retention: Partial<Config['retention']> = {}): Promise<void> {
  const { maintenance } = workers({
    database,
    blobs,
    blobQuarantineDays: 14,
    identityProviderUrl: undefined,
    retention: { ...readConfig({}).retention, ...retention },
    maintenance: {},
    logger,
    now: () => now,
  });
  await maintenance?.({}, {} as never);
}

async function exists(table: keyof Schema, id: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id}`.execute(database);
  return rows.length > 0;
}

async function givenParameterSet(): Promise<string> {
  const body = { workflowDefinitionId: await workflows.definitionId(), parameters: { claimNumber: 'A' } };
  const made = (await bodyOf(201, owner.POST('/parameters', { body }))) as { parametersId: string };
  return made.parametersId;
}
const read = (parametersId: string) =>
  owner.GET('/parameters/{parametersId}', { params: { path: { parametersId } } });

async function givenLink(parametersId?: string): Promise<string> {
  const body = {
    caseId: await workflows.caseWithContact(),
    workflowDefinitionId: await workflows.definitionId(),
    ...(parametersId && { parametersId }),
  };
  const known = new Set(await linkIds());
  await bodyOf(201, owner.POST('/link', { body }));
  return (await linkIds()).find((id) => !known.has(id)) as string;
}

const linkIds = async () => (await database.selectFrom('links').select('id').execute()).map(({ id }) => id);

/** Marks an execution as started by a link. */
const use = (linkId: string, executionId: string, at = clock.now()) =>
  database
    .updateTable('links')
    .set({ used_at: at, execution_id: executionId })
    .where('id', '=', linkId)
    .execute();

/** An execution that ended now. */
async function endedExecution(): Promise<string> {
  const id = await workflows.runningExecution();
  await database
    .updateTable('executions')
    .set({ status: 'FAILED', ended_at: clock.now(), error: 'X', cause: '' })
    .where('id', '=', id)
    .execute();
  return id;
}

describe('a parameter set', () => {
  test('is deleted 400 days after its creation', async () => {
    const id = await givenParameterSet();
    await maintain(justBefore(after(400)));
    expect(await exists('parameter_sets', id)).toBe(true);
    const other = await givenParameterSet();
    log.length = 0;
    await maintain(after(400));
    expect(await exists('parameter_sets', id)).toBe(false);
    expect(log).toContainEqual(expect.objectContaining({ part: 'deleteParameterSets', removed: 2 }));
    await expectRefusal(read(other), 404, 'parameters_not_found');
  });

  test('stays for 400 days after it was read, which is recorded once a day', async () => {
    const id = await givenParameterSet();
    const lastUsed = async () =>
      (
        await database
          .selectFrom('parameter_sets')
          .select('last_used_at')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).last_used_at;
    const made = clock.now();
    clock.forward(day - 1);
    await bodyOf(201, read(id));
    expect(await lastUsed()).toEqual(made);
    clock.forward(1);
    await bodyOf(201, read(id));
    expect(await lastUsed()).toEqual(clock.now());
    await maintain(justBefore(after(400)));
    expect(await exists('parameter_sets', id)).toBe(true);
    await maintain(after(400));
    expect(await exists('parameter_sets', id)).toBe(false);
  });

  test('stays for 400 days after a link was created with it, and as long as the link exists', async () => {
    const [id, unused] = [await givenParameterSet(), await givenParameterSet()];
    clock.forward(399 * day);
    await givenLink(id);
    clock.forward(2 * day);
    await maintain(clock.now());
    expect(await exists('parameter_sets', id)).toBe(true);
    expect(await exists('parameter_sets', unused)).toBe(false);
    clock.forward(397 * day);
    const linkId = await givenLink();
    await database.updateTable('links').set({ parameters_id: id }).where('id', '=', linkId).execute();
    await maintain(after(1));
    expect(await exists('parameter_sets', id)).toBe(true);
    // The link is deleted first.
    await maintain(after(97));
    expect(await exists('links', linkId)).toBe(false);
    expect(await exists('parameter_sets', id)).toBe(false);
  });

  test('of a link counts as used when the link is used, and no other parameter set does', async () => {
    const [id, other] = [await givenParameterSet(), await givenParameterSet()];
    const linkId = await givenLink(id);
    const usedAt = async (set: string) => {
      const { last_used_at } = await database
        .selectFrom('parameter_sets')
        .select('last_used_at')
        .where('id', '=', set)
        .executeTakeFirstOrThrow();
      return last_used_at;
    };
    const before = await usedAt(other);
    clock.forward(5 * day);
    const executionId = await workflows.runningExecution();
    await useLink(database, linkId, { executionId, view: Buffer.alloc(32), now: clock.now() });
    expect(await usedAt(id)).toEqual(clock.now());
    expect(await usedAt(other)).toEqual(before);
  });

  test('that is deleted while a link is created with it makes createLink fail: 404 parameters_not_found', async () => {
    const id = await givenParameterSet();
    clock.forward(401 * day);
    const body = {
      caseId: await workflows.caseWithContact(),
      workflowDefinitionId: await workflows.definitionId(),
      parametersId: id,
    };
    const begun = await database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('parameter_sets').where('id', '=', id).execute();
      // In an object, so that the transaction ends without waiting for it.
      const making = { response: Promise.resolve(owner.POST('/link', { body })) };
      await until(async () => (await blockedBy(transaction)) > 0, { interval: 10 });
      return making;
    });
    await expectRefusal(begun.response, 404, 'parameters_not_found');
  });
});

describe('a single-use link', () => {
  test('is deleted 90 days after it expired', async () => {
    const id = await givenLink();
    await maintain(justBefore(after(97)));
    expect(await exists('links', id)).toBe(true);
    await maintain(after(97));
    expect(await exists('links', id)).toBe(false);
  });

  test('is deleted 90 days after it was used', async () => {
    const id = await givenLink();
    await use(id, await endedExecution());
    await maintain(justBefore(after(90)));
    expect(await exists('links', id)).toBe(true);
    await maintain(after(90));
    expect(await exists('links', id)).toBe(false);
  });

  test('stays while its execution runs or has a result', async () => {
    const running = await workflows.runningExecution();
    const linkOfRunning = await givenLink();
    await use(linkOfRunning, running);
    const linkOfEnded = await givenLink();
    await use(linkOfEnded, await endedExecution());
    await maintain(after(29), { links: 1 });
    expect(await exists('links', linkOfRunning)).toBe(true);
    expect(await exists('links', linkOfEnded)).toBe(true);
    await maintain(after(30), { links: 1 });
    await maintain(after(30), { links: 1 });
    expect(await exists('links', linkOfEnded)).toBe(false);
    expect(await exists('links', linkOfRunning)).toBe(true);
    await database.deleteFrom('links').where('id', '=', linkOfRunning).execute();
  });
});

describe('an ended execution', () => {
  test('is deleted 400 days after its result', async () => {
    const id = await endedExecution();
    const running = await workflows.runningExecution();
    await maintain(after(30));
    await bodyOf(200, owner.GET('/workflows/{workflowId}', { params: { path: { workflowId: id } } }));
    await maintain(justBefore(after(430)));
    expect(await exists('executions', id)).toBe(true);
    log.length = 0;
    await maintain(after(430));
    expect(await exists('executions', id)).toBe(false);
    expect(log).toContainEqual(expect.objectContaining({ part: 'deleteExecutions', msg: 'maintenance' }));
    expect(await exists('executions', running)).toBe(true);
  });

  test('stays while the link that started it exists', async () => {
    const [id, startedOtherwise] = [await endedExecution(), await endedExecution()];
    const linkId = await givenLink();
    await use(linkId, id);
    await maintain(after(430), { links: 1000 });
    expect(await exists('executions', id)).toBe(true);
    expect(await exists('executions', startedOtherwise)).toBe(false);
    await maintain(after(430));
    expect(await exists('executions', id)).toBe(false);
  });

  test('loses its history with its result, however long it is', async () => {
    const id = await endedExecution();
    await sql`insert into execution_history (execution_id, thread_id, at, kind, state, detail)
      select ${id}, ${randomUUID()}, ${clock.now()}, 'state', 'S', '{}' from generate_series(1, 2500)`.execute(
      database,
    );
    await maintain(after(30));
    const left = await database.selectFrom('execution_history').where('execution_id', '=', id).execute();
    expect(left).toEqual([]);
  });
});

describe('a resource', () => {
  const upload = async () => {
    const body = { file: new File(['terms'], 'terms.txt') };
    return ((await bodyOf(201, owner.POST('/resources', { body }))) as { resourceId: string }).resourceId;
  };

  test('is kept forever by default, or for a configured number of days', async () => {
    const id = await upload();
    await maintain(after(36_500));
    expect(await exists('resources', id)).toBe(true);
    await maintain(justBefore(after(10)), { resources: 10 });
    expect(await exists('resources', id)).toBe(true);
    await maintain(after(10), { resources: 10 });
    expect(await exists('resources', id)).toBe(false);
  });
});

test('a backlog is deleted in batches', async () => {
  const definition = await workflows.definitionId();
  const usedAt = clock.now();
  await sql`insert into parameter_sets (id, workflow_definition_id, parameters, created_by, last_used_at)
    select gen_random_uuid(), ${definition}, '{}', ${world.owner.id}, ${usedAt} from generate_series(1, 2100)
  `.execute(database);
  await maintain(after(400));
  const left = database.selectFrom('parameter_sets').select('id').where('last_used_at', '=', usedAt);
  expect(await left.execute()).toEqual([]);
});

describe('the settings', () => {
  test('can be changed', () => {
    const { retention, storageQuota } = readConfig({
      EXECUTION_RETENTION_DAYS: '1',
      LINK_RETENTION_DAYS: '2',
      PARAMETER_SET_RETENTION_DAYS: '3',
      RESOURCE_RETENTION_DAYS: '4',
      AUDIT_RETENTION_DAYS: '30',
      STORAGE_QUOTA_BYTES: '5000000000000',
    });
    expect(retention).toEqual({ executions: 1, links: 2, parameterSets: 3, resources: 4, audit: 30 });
    expect(storageQuota).toBe(5_000_000_000_000);
  });

  test.each([
    'EXECUTION_RETENTION_DAYS',
    'LINK_RETENTION_DAYS',
    'PARAMETER_SET_RETENTION_DAYS',
    'RESOURCE_RETENTION_DAYS',
    'STORAGE_QUOTA_BYTES',
  ])('report a wrong value in one line: %s', (name) => {
    for (const value of ['0', '-1', 'forever', '1.5']) {
      expect(() => readConfig({ [name]: value })).toThrow(
        new RegExp(`^${name} must be a whole number from 1 to \\d+, not "${value}"\\.$`),
      );
    }
  });
});
