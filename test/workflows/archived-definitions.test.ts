import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  archiveDefinition,
  restoreDefinition,
  startersOf,
} from '../../server/src/store/archived-definitions.ts';
import { up } from '../../server/src/store/migrations/0021-archived-definitions.ts';
import { linksOf } from '../links/support.ts';
import { expectRefusal } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { retryWorld } from './retry-world.ts';
import { json, otherSystem } from './support.ts';

const platform = await retryWorld();
const { owner, executions, define, failed, retried, threadsOf, pass, database, clock } = platform;
const links = linksOf(platform);

const archive = (id: string) => archiveDefinition(database, id, clock.now());
const restore = (id: string) => restoreDefinition(database, id);
const done = { Done: { Type: 'Succeed', Output: {} } };
const listed = async (id: string) => {
  const { data } = await owner.GET('/workflow-definitions', { params: { query: { size: 100 } } });
  return data?.content.some((definition) => definition.id === id);
};

describe('an archived definition', () => {
  test.each<[operation: string, call: (body: { workflowDefinitionId: string }) => Promise<never>]>([
    ['startWorkflow', (body) => owner.POST('/workflows', { body }) as Promise<never>],
    [
      'createParameterSet',
      (body) => owner.POST('/parameters', { body: { ...body, parameters: {} } }) as Promise<never>,
    ],
    [
      'createLink',
      async (body) =>
        owner.POST('/link', { body: { ...body, caseId: (await links.case()).id } }) as Promise<never>,
    ],
    [
      'sendLink',
      async (body) =>
        owner.POST('/link/send', { body: { ...body, caseId: (await links.case()).id } }) as Promise<never>,
    ],
  ])('is unknown to %s until it is restored', async (_operation, call) => {
    const id = await define(done);
    const statusOf = async () =>
      ((await call({ workflowDefinitionId: id })) as { response: Response }).response;
    expect((await statusOf()).ok).toBe(true);
    expect([await archive(id), await archive(id)]).toEqual(['archived', 'already_archived']);
    await expectRefusal(call({ workflowDefinitionId: id }), 404, 'workflow_definition_not_found');
    expect([await restore(id), await restore(id)]).toEqual(['restored', 'not_archived']);
    expect((await statusOf()).ok).toBe(true);
  });

  test('is not listed by the API', async () => {
    const id = await define(done);
    expect(await listed(id)).toBe(true);
    await archive(id);
    expect(await listed(id)).toBe(false);
    await restore(id);
    expect(await listed(id)).toBe(true);
  });

  test('keeps its executions: running ones go on, and failed ones can be retried', async () => {
    let status = 503;
    const { url } = await otherSystem((_request, response) => json(response, status, {}));
    const call = { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url }, Output: {}, End: true };
    const failing = await failed({ Call: call });
    const id = await define({ Rest: { Type: 'Wait', Seconds: 600, Next: 'Done' }, ...done });
    const running = await executions.start({ workflowDefinitionId: id });
    await until(async () => (await threadsOf(running.id))[0]?.awaiting === 'wait');
    for (const definition of [id, failing.workflowDefinitionId])
      expect(await archive(definition)).toBe('archived');
    status = 200;
    await retried(failing);
    await pass(600);
    await executions.ended(running);
    expect(await executions.read(running.id)).toMatchObject({ status: 'COMPLETED', revision: '1' });
  });

  test('starts what was accepted before, and nothing after, while starts race with it', async () => {
    const id = await define(done);
    const start = async () => owner.POST('/workflows', { body: { workflowDefinitionId: id } });
    const before = Array.from({ length: 20 }, start);
    await Promise.race(before);
    const archived = archive(id);
    const during = Array.from({ length: 20 }, start);
    await archived;
    const after = Array.from({ length: 20 }, start);
    const statuses = async (starts: ReturnType<typeof start>[]) =>
      (await Promise.all(starts)).map(({ response }) => response.status);
    expect(new Set(await statuses(after))).toEqual(new Set([404]));
    const accepted = await Promise.all([...before, ...during]);
    const started = accepted.flatMap(({ data }) => data ?? []);
    expect(started.length).toBeGreaterThan(0);
    const refused = accepted.filter(({ response }) => response.status === 404);
    expect(started.length + refused.length).toBe(40);
    for (const execution of started) await executions.ended(execution);
    const stored = await database
      .selectFrom('executions')
      .select('id')
      .where('workflow_definition_id', '=', id)
      .execute();
    expect(stored).toHaveLength(started.length);
  });

  test('is counted by its schedules and the links that can still be used', async () => {
    const definition = await links.definition();
    const revoked = await links.row(await links.link({ definition }));
    await links.link({ definition });
    const now = clock.now();
    await database.updateTable('links').set({ revoked_at: now }).where('id', '=', revoked.id).execute();
    expect(await startersOf(database, definition.id, now)).toEqual({ schedules: [], openLinks: 1 });
    expect(await startersOf(database, randomUUID(), now)).toEqual({ schedules: [], openLinks: 0 });
  });
});

test('the migration can run twice, and keeps what is archived', async () => {
  const id = await define(done);
  await archive(id);
  await up(database as never);
  expect(await archive(id)).toBe('already_archived');
});
