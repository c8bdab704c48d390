import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';
import { wrpOn } from '../support/wrp.ts';

const { connectionString } = await cloneDatabase();
const { owner, world, given, database } = await api({ databaseUrl: connectionString, clock: 'running' });
const executions = executionsOf(owner);
const wrp = wrpOn(connectionString, 'execution');

/** A definition that goes on only with an object that has `go`. @returns its identifier */
const define = async (name: string, states: JsonObject = {}) => {
  const Choices = [{ Condition: '{% $states.input.go = true %}', Next: 'Done' }];
  const definition = definitionOf({
    Choose: { Type: 'Choice', Choices },
    Done: { Type: 'Succeed', Output: {} },
    ...states,
  });
  return (await given.workflowDefinition({ workspace: world.workspace, name, definition })).id;
};

async function failed(workflowDefinitionId: string, count = 1): Promise<string[]> {
  const started = [];
  for (let index = 0; index < count; index++) started.push(await executions.start({ workflowDefinitionId }));
  for (const execution of started) await executions.ended(execution, 'FAILED');
  return started.map(({ id }) => id);
}

const succeeding = (id: string) =>
  given.definitionRevision({
    id,
    revision: '2',
    definition: definitionOf({
      Choose: { Type: 'Choice', Choices: [{ Condition: true, Next: 'Done' }] },
      Done: { Type: 'Succeed', Output: {} },
    }),
  });

async function fileOf(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-input-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'input.json');
  await writeFile(file, text);
  return file;
}

describe('wrp execution retry', () => {
  test('says of a Fail state that it fails again; show prints the input to replace', async () => {
    const definition = definitionOf({ Stop: { Type: 'Fail', Error: 'Test.Stopped' } });
    const { id: stops } = await given.workflowDefinition({ workspace: world.workspace, definition });
    const [id] = (await failed(stops)) as [string];
    const { stdout } = await wrp('show', id);
    expect(stdout).toMatch(/^ +input +\{"parameters":\{\},/m);
    expect(await wrp('retry', id)).toMatchObject({
      status: 0,
      stderr:
        'The execution runs again, with revision 1. Stop is a Fail state, which fails again: start the execution anew, or change the definition and retry with its newest revision.\n',
    });
    await executions.ended({ id }, 'FAILED');
  });

  test('continues an execution with another input, once', async () => {
    const definition = await define('with input', { Done: { Type: 'Wait', Seconds: 3600, End: true } });
    const [id] = (await failed(definition)) as [string];
    expect(await wrp('retry', id, '--input', await fileOf('{"go": tru'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^The input is not JSON: /),
    });
    const input = await fileOf('{"go": true}');
    expect(await wrp('retry', id, '--input', input)).toEqual({
      status: 0,
      stdout: '',
      stderr: 'The execution runs again, with revision 1.\n',
    });
    expect(await wrp('retry', id, '--input', input)).toMatchObject({
      status: 0,
      stderr: 'The execution is already running.\n',
    });
    const shown = await until(async () => {
      const { stdout } = await wrp('show', id);
      return stdout.includes('waits until') && stdout;
    });
    expect(shown).toContain(`retried by ${userInfo().username}`);
  });

  test('continues an execution with the newest revision', async () => {
    const definition = await define('revised');
    const [id] = (await failed(definition)) as [string];
    await succeeding(definition);
    const { stdout } = await wrp('retry', id, '--newest-revision', '--json');
    expect(JSON.parse(stdout)).toEqual({ id, kind: 'retried', version: 3, revision: '2', status: 'RUNNING' });
    await executions.ended({ id });
  });

  test('refuses an execution that cannot continue, in one line', async () => {
    const definition = await define('refused');
    const [id] = (await failed(definition)) as [string];
    await database.deleteFrom('threads').where('execution_id', '=', id).execute();
    expect(await wrp('retry', id)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The execution has no checkpoint: it failed before the platform kept one, or too long ago. Start it anew.\n',
    });
  });

  test('lists those that match, then retries all of them, and nothing the next time', async () => {
    const definition = await define('many');
    const ids = await failed(definition, 25);
    const other = await failed(await define('not those'), 1);
    await succeeding(definition);
    const select = ['--status', 'FAILED', '--definition', 'many', '--since', '1h'];
    const dry = await wrp('retry', ...select, '--dry-run');
    expect(dry.stderr).toBe('25 match.\n');
    expect(dry.stdout.trim().split('\n')).toHaveLength(1 + 20 + 1);
    expect(dry.stdout).toContain('… 5 more');
    const retry = ['retry', ...select, '--newest-revision', '--rate', '1000'];
    const { stdout, status } = await wrp(...retry, '--json');
    expect(status).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; outcome: string });
    expect(lines.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(new Set(lines.map(({ outcome }) => outcome))).toEqual(new Set(['retried']));
    for (const id of ids) await executions.ended({ id });
    expect(await wrp(...retry)).toMatchObject({ status: 0, stderr: 'No execution matches.\n' });
    expect(await executions.read(other[0] as string)).toMatchObject({ status: 'FAILED' });
  });

  test('retries an execution that fails again once', async () => {
    const definition = await define('hopeless');
    const ids = await failed(definition, 3);
    const { stderr } = await wrp('retry', '--definition', definition, '--rate', '2');
    expect(stderr).toBe('3 retried.\n');
    for (const id of ids)
      expect(await executions.ended({ id }, 'FAILED')).toMatchObject({ executionVersion: 4 });
  });

  test('keeps to the rate', async () => {
    const definition = await define('slowly');
    await failed(definition, 4);
    const begun = performance.now();
    await wrp('retry', '--definition', definition, '--rate', '2');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_450);
  });

  test('fails if some of those that match cannot continue', async () => {
    const definition = await define('partly');
    const [gone] = (await failed(definition, 2)) as [string];
    await database.deleteFrom('threads').where('execution_id', '=', gone).execute();
    const { status, stderr } = await wrp('retry', '--definition', definition);
    expect(status).toBe(1);
    expect(stderr).toBe('1 retried, 1 no checkpoint.\n');
  });
});

describe('wrp execution cancel', () => {
  test('cancels all that match, and no others', async () => {
    const wait = { Choose: { Type: 'Wait', Seconds: 3600, End: true } };
    const definition = await define('waiting', wait);
    const ids = [];
    for (let index = 0; index < 3; index++)
      ids.push((await executions.start({ workflowDefinitionId: definition })).id);
    const other = await executions.start({ workflowDefinitionId: await define('waiting too', wait) });
    expect((await wrp('cancel', '--definition', 'waiting', '--dry-run')).stderr).toBe('3 match.\n');
    expect(await wrp('cancel', '--definition', 'waiting')).toMatchObject({
      status: 0,
      stderr: '3 cancelled.\n',
    });
    for (const id of ids) expect(await executions.read(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await executions.read(other.id)).toMatchObject({ status: 'RUNNING' });
  });
});

const anId = '6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01';
test.each([
  [['retry'], 'Name an execution, or select some'],
  [['cancel'], 'Name an execution, or select some'],
  [['retry', anId, '--status', 'FAILED'], 'Name an execution or select some, not both.'],
  [['retry', anId, '--dry-run'], '--dry-run is for executions that options select'],
  [['retry', anId], `There is no execution ${anId} in production.`],
  [['retry', '--status', 'COMPLETED'], 'Only executions with status FAILED can be retried.'],
  [['cancel', '--status', 'FAILED'], 'Only executions with status RUNNING can be cancelled.'],
  [['retry', '--status', 'FAILED', '--input', '-'], '--input is for one execution.'],
  [['retry', '--status', 'FAILED', '--rate', '0'], 'It must be a number above 0'],
])('wrp execution refuses %j', async (words, message) => {
  const { status, stderr, stdout } = await wrp(...words);
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(message);
  expect(stdout).toBe('');
});
