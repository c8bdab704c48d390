import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { changeAsOperator } from '../../server/src/store/audit.ts';
import { failureGroups } from '../../server/src/store/execution-groups.ts';
import { pauseDefinition } from '../../server/src/store/pauses.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';
import { wrpOn } from '../support/wrp.ts';
import { byAda } from '../workflows/retry-world.ts';
import { json, otherSystem, workflowWorld } from '../workflows/support.ts';

const { connectionString } = await cloneDatabase();
const { executions, define, begin, threadsOf, database, clock, owner, world, given } = await workflowWorld({
  databaseUrl: connectionString,
});
const wrp = wrpOn(connectionString);
const list = (...options: string[]) => wrp('execution', 'list', ...options);
const listed = async (...options: string[]) => {
  const { stdout, stderr, status } = await list(...options, '--json');
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
};

const branch = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});
const hour = { Type: 'Wait', Seconds: 3600, End: true };

/** Begins states under a definition, and waits until their thread does. */
async function waiting(states: JsonObject, isThere: (thread: { awaiting: string | null }) => unknown) {
  const execution = await begin(states);
  await until(async () => (await threadsOf(execution.id)).some(isThere));
  return execution;
}

const hanging = await otherSystem(() => new Promise(() => {}));
const accepting = await otherSystem((_request, response) => json(response, 200, {}));
const failing = await otherSystem((_request, response) => json(response, 503, {}));

describe('wrp execution list shows what an execution waits for:', () => {
  const task = (Resource: string, Arguments: JsonObject, more: JsonObject = {}) => ({
    Call: { Type: 'Task', Resource, Arguments, End: true, ...more },
  });
  const retry = { Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 600 }] };
  const time = '20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d';
  const host = ({ url }: { url: string }) => new URL(url).host;
  const cases: [what: string, states: JsonObject, awaiting: string, waitingFor: object, text: string][] = [
    [
      'a timer',
      { Rest: hour },
      'wait',
      { kind: 'timer', state: 'Rest', until: expect.any(String) },
      `waits until ${time}`,
    ],
    [
      'a call',
      task('wrp:http:call', { url: hanging.url }),
      'call',
      { kind: 'call', state: 'Call', resource: 'wrp:http:call', host: host(hanging) },
      `waits for a call to ${host(hanging)}`,
    ],
    [
      'a callback',
      task('wrp:callback:wait', { request: { url: accepting.url } }, { TimeoutSeconds: 600 }),
      'callback',
      {
        ...{ kind: 'callback', state: 'Call', resource: 'wrp:callback:wait', host: host(accepting) },
        until: expect.any(String),
      },
      `waits for a callback of ${host(accepting)} until 20`,
    ],
    [
      'a retry',
      task('wrp:http:call', { url: failing.url }, retry),
      'retry',
      { kind: 'retry', state: 'Call', until: expect.any(String) },
      `waits to retry until ${time}`,
    ],
    [
      'the timer of a branch',
      { Both: { Type: 'Parallel', Branches: [branch({ Inner: hour })], End: true } },
      'wait',
      { kind: 'timer', state: 'Inner', until: expect.any(String) },
      `waits until ${time}`,
    ],
  ];
  test.each(cases)('%s', async (_what, states, awaiting, waitingFor, text) => {
    const { id, workflowDefinitionId } = await waiting(states, (thread) => thread.awaiting === awaiting);
    const { content } = await listed('--definition', workflowDefinitionId);
    expect(content).toMatchObject([{ id, status: 'RUNNING', waitingFor }]);
    expect((await list('--definition', workflowDefinitionId)).stdout).toMatch(new RegExp(` ${text}`));
  });

  test('the resumption of its definition; an ended one waits for nothing', async () => {
    const id = await define({ Rest: hour });
    const pause = () =>
      changeAsOperator(database, byAda(clock.now()), (transaction) =>
        pauseDefinition(transaction, id, { reason: undefined, now: clock.now() }),
      );
    await pause();
    const execution = await executions.start({ workflowDefinitionId: id });
    await until(async () => (await threadsOf(execution.id))[0]?.parked_for);
    expect((await listed('--definition', id)).content).toMatchObject([
      { waitingFor: { kind: 'resumption' } },
    ]);
    expect((await list('--definition', id)).stdout).toContain('suspended: the definition is paused');
    await wrp('execution', 'cancel', execution.id);
    expect((await listed('--definition', id)).content).toMatchObject([{ waitingFor: null }]);
  });
});

test('wrp execution list --inputs shows the parameters, shortened; --json all of them', async () => {
  const parameters = { claim: 'A-7', note: 'long '.repeat(50) };
  const execution = await begin({ Done: { Type: 'Succeed' } }, { parameters });
  await executions.ended(execution);
  const select = ['--definition', execution.workflowDefinitionId];
  const { stdout } = await list(...select, '--inputs');
  expect(stdout).toMatch(/ PARAMETERS$/m);
  expect(stdout).toMatch(/ {2}\{"claim":"A-7","note":"long .{20,40}…$/m);
  expect((await listed(...select, '--inputs')).content).toMatchObject([{ parameters }]);
  expect((await listed(...select)).content[0]).not.toHaveProperty('parameters');
});

describe('wrp execution list --group-by error', () => {
  const stop = { Type: 'Fail', Error: 'Test.A' };
  let first: string;
  let second: string;
  beforeAll(async () => {
    first = await define({
      Which: {
        Type: 'Choice',
        Choices: [{ Condition: "{% $states.input.parameters.at = 'branch' %}", Next: 'Both' }],
        Default: 'Stop',
      },
      Both: { Type: 'Parallel', Branches: [branch({ Inner: stop }), branch({ Rest: hour })], End: true },
      Stop: stop,
    });
    second = await define({ Stop: stop });
    const starts: [string, JsonObject][] = [
      [first, { at: 'branch' }],
      [first, { at: 'branch' }],
      [first, {}],
      [second, {}],
      [second, {}],
      [second, {}],
    ];
    for (const [workflowDefinitionId, parameters] of starts)
      await executions.ended(await executions.start({ workflowDefinitionId, parameters }), 'FAILED');
    await executions.start({ workflowDefinitionId: await define({ Rest: hour }) });
  });

  test('counts by definition, innermost state and error, the most frequent first', async () => {
    const { groups, grouped } = await listed('--error', 'Test.A', '--since', '1h', '--group-by', 'error');
    expect(grouped).toBe(6);
    expect(groups).toMatchObject([
      { workflowDefinitionId: second, state: 'Stop', error: 'Test.A', count: 3 },
      { workflowDefinitionId: first, state: 'Inner', error: 'Test.A', count: 2 },
      { workflowDefinitionId: first, state: 'Stop', error: 'Test.A', count: 1 },
    ]);
    for (const { firstEndedAt, lastEndedAt, count, exampleId, workflowDefinitionId } of groups) {
      expect(lastEndedAt > firstEndedAt).toBe(count > 1);
      expect(await executions.read(exampleId)).toMatchObject({ workflowDefinitionId, status: 'FAILED' });
    }
    const { stdout } = await list('--definition', second, '--group-by', 'error');
    expect(stdout).toMatch(/^ *3 +\S+ +Stop +Test\.A +20.*$/m);
    const none = await list('--error', 'Test.None', '--group-by', 'error');
    expect(none.stderr).toBe('There are no matching executions in production.\n');
  });

  test('has no state for an execution that timed out as a whole', async () => {
    const execution = await begin({ Rest: hour }, { fields: { TimeoutSeconds: 1 } });
    await executions.ended(execution, 'FAILED');
    const { groups } = await listed('--definition', execution.workflowDefinitionId, '--group-by', 'error');
    expect(groups).toMatchObject([{ state: null, error: 'States.Timeout', count: 1 }]);
  });

  test('says where it stopped, and continues there', async () => {
    const filter = { error: 'Test.A' };
    const { groups, grouped, next } = await failureGroups(database, filter, { size: 4 });
    expect([grouped, groups.map(({ count }) => count)]).toEqual([4, [3, 1]]);
    const rest = await failureGroups(database, filter, { after: next, size: 4 });
    expect([rest.grouped, rest.next]).toEqual([2, undefined]);
  });
});

test('wrp audit list shows the names of what an entry names, while it exists', async () => {
  const user = await given.user({ organization: world.organization });
  await owner.POST('/organizations/users/{userId}/terminate', { params: { path: { userId: user.id } } });
  const create = ['token', 'create', '--user', world.owner.id, '--workspace', world.workspace.id];
  const { stdout } = await wrp(...create, '--name', 'nightly', '--json');
  const { id } = JSON.parse(stdout);
  const entriesOf = async (object: string) =>
    (await wrp('audit', 'list', '--object', object, '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  expect(await entriesOf(user.id)).toMatchObject([
    { object: { kind: 'user', id: user.id, name: user.email } },
  ]);
  expect(await entriesOf(id)).toMatchObject([
    { object: { id, name: 'nightly' }, names: { [world.owner.id]: world.owner.email } },
  ]);
  expect((await wrp('audit', 'list', '--object', id)).stdout).toMatch(
    new RegExp(`organization token ${id} nightly +\\S+ +userId=${world.owner.id} ${world.owner.email}$`, 'm'),
  );
  await database.deleteFrom('organization_tokens').where('id', '=', id).execute();
  expect(await entriesOf(id)).toMatchObject([{ object: { id, name: null } }]);
});
