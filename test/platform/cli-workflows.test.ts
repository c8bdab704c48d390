import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';
import { runWrp, wrpOn } from '../support/wrp.ts';

const { connectionString } = await cloneDatabase();
const { owner, world, given } = await api({ databaseUrl: connectionString, clock: 'running' });
const executions = executionsOf(owner);
const { workspace } = world;
const define = async (name: string, states: Parameters<typeof definitionOf>[0]) =>
  (await given.workflowDefinition({ workspace, name, definition: definitionOf(states) })).id;

const wrp = wrpOn(connectionString);

describe('wrp execution', () => {
  test('show prints the history of an execution in order, without control characters', async () => {
    const definition = await define('shown', {
      First: { Type: 'Pass', Output: { n: 1, evil: '\u001b[2J' }, Next: 'Both' },
      Both: {
        Type: 'Parallel',
        Branches: [{ StartAt: 'Inner', States: { Inner: { Type: 'Pass', Output: 'in', End: true } } }],
        Output: { all: '{% $states.result %}' },
        End: true,
      },
    });
    const execution = await executions.start({ workflowDefinitionId: definition, parameters: { p: 'q' } });
    await executions.ended(execution);
    const { stdout, status } = await wrp('execution', 'show', execution.id);
    expect(status).toBe(0);
    expect(stdout).toContain('shown, revision 1: COMPLETED');
    expect(stdout).toContain('parameters  {"p":"q"}');
    expect(stdout).not.toContain('\u001b[2J');
    const events = stdout
      .split('\n')
      .slice(stdout.split('\n').findIndex((line) => line.startsWith('AT')) + 1);
    expect(events.map((line) => line.split(/ {2,}/).slice(1, 3)).filter((cells) => cells.length > 0)).toEqual(
      [
        ['First', 'Pass'],
        ['Both', 'starts 1 thread'],
        ['Both[0]/Inner', 'Pass'],
        ['Both', 'Parallel'],
        ['result', '["in"]'],
      ],
    );
    const { stdout: json } = await wrp('execution', 'show', execution.id, '--json');
    expect(JSON.parse(json)).toMatchObject({
      execution: { id: execution.id, status: 'COMPLETED' },
      history: [{ kind: 'state', state: 'First', detail: { output: { n: 1 } } }, {}, {}, {}],
      threads: [],
    });
  });

  test('show prints what a running execution waits for; cancel ends it once', async () => {
    const definition = await define('resting', { Rest: { Type: 'Wait', Seconds: 3600, End: true } });
    const { id } = await executions.start({ workflowDefinitionId: definition });
    const shown = await until(async () => {
      const { stdout } = await wrp('execution', 'show', id);
      return stdout.includes('waits (wait)') && stdout;
    });
    expect(shown).toMatch(/^now +Rest +waits \(wait\) until 20/m);
    expect((await wrp('execution', 'cancel', id)).stderr).toBe('The execution is cancelled.\n');
    expect((await wrp('execution', 'cancel', id)).stderr).toBe('The execution was already cancelled.\n');
    expect(await executions.read(id)).toMatchObject({ status: 'CANCELLED' });
  });

  test('show prints the pauses of its definition while it ran, in their order, with who and why', async () => {
    const rest = { Rest: { Type: 'Wait', Seconds: 3600, End: true } };
    const [definition, other] = [await define('interrupted', rest), await define('interrupted too', rest)];
    const change = (...args: string[]) => wrp('definition', ...args);
    await change('pause', definition, '--reason', 'earlier');
    await change('resume', definition);
    const { id } = await executions.start({ workflowDefinitionId: definition });
    await until(async () => (await wrp('execution', 'show', id)).stdout.includes('waits (wait)'));
    await change('pause', definition, '--reason', 'down\u001b');
    await change('pause', other);
    await change('resume', definition);
    await wrp('execution', 'cancel', id);
    await change('pause', definition, '--reason', 'later');
    const { stdout } = await wrp('execution', 'show', id);
    const rows = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.startsWith('AT')) + 1);
    const by = userInfo().username;
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(1)).filter((cells) => cells.length > 0)).toEqual(
      [
        ['Rest', expect.stringMatching(/^waits until /)],
        [`definition paused by ${by}`, 'down\ufffd'],
        [`definition resumed by ${by}`],
      ],
    );
    const { stdout: json } = await wrp('execution', 'show', id, '--json');
    expect(JSON.parse(json).pauses).toEqual([
      { at: expect.any(String), kind: 'paused', by, reason: 'down\u001b' },
      { at: expect.any(String), kind: 'resumed', by, reason: null },
    ]);
  });

  test('show prints the time of each row, and errors as a whole', async () => {
    const cause = 'This is why it stops. '.repeat(30).trim();
    const definition = await define('timed', {
      Rest: { Type: 'Wait', Seconds: 1, Next: 'Stop' },
      Stop: { Type: 'Fail', Error: 'Test.Stopped', Cause: cause },
    });
    const execution = await executions.start({ workflowDefinitionId: definition });
    await executions.ended(execution, 'FAILED');
    const { stdout } = await wrp('execution', 'show', execution.id);
    expect(stdout).toContain(`\nerror       Test.Stopped: ${cause}\n`);
    expect(stdout).toMatch(new RegExp(` Stop +failed with Test\\.Stopped +\\S+ ms +${cause}\\n`));
    const times = [...stdout.matchAll(/^\+([\d.]+) s +Rest +(?:waits.*|Wait +([\d.]+) s.*)$/gm)];
    expect(times).toHaveLength(2);
    expect(Number(times[1]?.[1]) - Number(times[0]?.[1])).toBeGreaterThanOrEqual(0.9);
    expect(Number(times[1]?.[2])).toBeGreaterThanOrEqual(1);
  });

  test('show prints each attempt with its own time, and the cause of a caught error', async () => {
    const definition = await define('tried again', {
      Call: {
        Type: 'Task',
        Resource: 'wrp:http:call',
        Arguments: { url: 'http://10.0.0.1/' },
        Retry: [{ ErrorEquals: ['Http.Refused'], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1 }],
        Catch: [{ ErrorEquals: ['Http.Refused'], Next: 'Done' }],
        Next: 'Done',
      },
      Done: { Type: 'Succeed', Output: {} },
    });
    const execution = await executions.start({ workflowDefinitionId: definition });
    await executions.ended(execution);
    const { stdout } = await wrp('execution', 'show', execution.id);
    const rows = [...stdout.matchAll(/^\+([\d.]+) s +Call +(\w+)/gm)];
    expect(rows.map(([, , event]) => event)).toEqual(['calls', 'failed', 'calls', 'failed', 'calls', 'Task']);
    const times = rows.map(([, at]) => Number(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((times[2] as number) - (times[1] as number)).toBeGreaterThanOrEqual(0.9);
    // An attempt takes as long as it takes, without the pause before it.
    expect(stdout).toMatch(/failed with Http\.Refused.* {2,}\d+ ms /);
    expect(stdout).toMatch(/^ +cause +The address is not public\.$/m);
  });

  test.each<[error: string, state: object]>([
    ['Fail', {}],
    ['Fail', { Error: '' }],
    ['Fail', { Error: "{% '' %}" }],
    ['Test.Stopped', { Error: 'Test.Stopped' }],
  ])('list and show print the error %s of the API for %j', async (error, state) => {
    const name = `fails ${JSON.stringify(state)}`;
    const definition = await define(name, { Stop: { Type: 'Fail', Cause: 'Enough.', ...state } });
    const execution = await executions.start({ workflowDefinitionId: definition });
    await executions.ended(execution, 'FAILED');
    expect(await executions.read(execution.id)).toMatchObject({ failure: { error, cause: 'Enough.' } });
    const { stdout: list } = await wrp('execution', 'list', '--definition', name, '--json');
    expect(JSON.parse(list)).toMatchObject({ content: [{ error }] });
    expect((await wrp('execution', 'show', execution.id)).stdout).toContain(
      `error       ${error}: Enough.\n`,
    );
  });

  test('cancel refuses an ended execution; show and cancel refuse an unknown one', async () => {
    const execution = await executions.start({ workflowDefinitionId: world.workflowDefinition.id });
    await executions.ended(execution);
    expect(await wrp('execution', 'cancel', execution.id)).toMatchObject({
      status: 1,
      stderr: 'The execution has already ended with status COMPLETED.\n',
    });
    for (const command of ['show', 'cancel']) {
      expect(await wrp('execution', command, 'x')).toMatchObject({
        status: 1,
        stderr: 'There is no execution x in production.\n',
      });
    }
  });

  test('list prints the newest first, by status and definition', async () => {
    const definition = await define('failing', { Stop: { Type: 'Fail', Error: 'Test.Stopped' } });
    const first = await executions.start({ workflowDefinitionId: definition });
    await executions.ended(first, 'FAILED');
    const second = await executions.start({ workflowDefinitionId: definition });
    await executions.ended(second, 'FAILED');
    const { stdout } = await wrp(
      'execution',
      'list',
      '--status',
      'FAILED',
      '--definition',
      'failing',
      '--json',
    );
    const { content: listed } = JSON.parse(stdout) as { content: { id: string; error: string }[] };
    expect(listed.map(({ id, error }) => [id, error])).toEqual([
      [second.id, 'Test.Stopped'],
      [first.id, 'Test.Stopped'],
    ]);
    expect((await wrp('execution', 'list', '--limit', '1')).stdout.trim().split('\n')).toHaveLength(2);
    expect(await wrp('execution', 'list', '--status', 'EXPIRED', '--definition', 'failing')).toMatchObject({
      status: 0,
      stderr: 'There are no matching executions in production.\n',
    });
    expect(await wrp('execution', 'list', '--definition', 'nope', '--json')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no definition nope in production.\n',
    });
  });

  test('list prints the cause, and continues after a page with the same options', async () => {
    const cause = `Not\u001b[31m ${'a long cause '.repeat(10)}`;
    const definition = await define('paged', { Stop: { Type: 'Fail', Error: 'Test.Paged', Cause: cause } });
    const started = [];
    for (const claim of ['One', 'Two', 'Three']) {
      const start = { workflowDefinitionId: definition, parameters: { claim } };
      started.unshift(await executions.start(start));
    }
    for (const execution of started) await executions.ended(execution, 'FAILED');
    const options = ['--error', 'Test.Paged', '--since', '1h', '--until', '2999-01-01'];
    const list = (...more: string[]) => wrp('execution', 'list', ...options, ...more);

    const { stdout, stderr } = await list('--limit', '2');
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stdout).toMatch(/ Test\.Paged +Not\ufffd\[31m a long cause .{20,40}…$/m);
    const [, cursor = ''] = /^For the next page, add --after (\S+)\n$/.exec(stderr) ?? [];
    const second = JSON.parse((await list('--limit', '2', '--after', cursor, '--json')).stdout);
    expect(second).toEqual({
      content: [
        expect.objectContaining({
          id: started[2]?.id,
          error: 'Test.Paged',
          cause,
          workflowDefinitionId: definition,
        }),
      ],
    });
    expect((await list('--after', cursor, '--text', 'one')).stderr).toMatch(
      /^--after is not a cursor of this list/,
    );
    expect((await list('--text', 'oNe')).stdout).toContain(started[2]?.id);
  });

  test.each([
    [['--revision', '1'], '--revision needs --definition.'],
    [['--definition', 'paged', '--revision', '9'], 'The definition paged has no revision 9.'],
    [['--workspace', 'nope'], 'There is no workspace nope in production.'],
    [['--record', 'nope'], 'It must be a UUID.'],
    [['--since', 'yesterday'], 'It must be a time such as'],
    [['--since', '2026-02-30'], 'It must be a time such as'],
  ])('list refuses %j', async (options, message) => {
    const { status, stderr } = await wrp('execution', 'list', ...options);
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});

describe('wrp definition', () => {
  test('list prints the definitions, and draw a diagram', async () => {
    await define('drawn', {
      Look: { Type: 'Choice', Choices: [{ Condition: true, Next: 'Done' }], Default: 'Done' },
      Done: { Type: 'Succeed' },
    });
    expect((await wrp('definition', 'list')).stdout).toMatch(/drawn +1 +1 +en +active$/m);
    const { stdout } = await wrp('definition', 'draw', 'drawn');
    expect(stdout).toMatch(/^flowchart TD\n/);
    expect(stdout).toContain('{"Look"}');
    expect(await wrp('definition', 'draw', 'nothing')).toMatchObject({ status: 1 });
  });

  test('check reports every error of every file with line, column and pointer, and needs no database', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-check-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const save = async (name: string, text: string) => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    };
    const wrong = await save(
      'wrong.asl.json',
      '{\n  "QueryLanguage": "JSONata",\n  "StartAt": "a.b",\n  "States": {\n    "a.b": { "Type": "Wait", "Next": "c" }\n  }\n}',
    );
    const cut = await save('cut.asl.json', '{\n  "StartAt": ');
    const right = await save(
      'right.asl.yaml',
      'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n',
    );
    const check = (...files: string[]) =>
      runWrp(['definition', 'check', ...files], { env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } });
    expect(await check(right)).toMatchObject({ status: 0, stdout: `${right} is valid.\n` });
    const { status, stderr } = await check(wrong, right, cut);
    expect([status, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [
        `${wrong}:5:12 /States/a.b Must have exactly one of Seconds and Timestamp`,
        expect.stringMatching(`^${wrong}:5:38 /States/a.b/Next There is no state`),
        expect.stringMatching(`^${cut}:2:14 `),
      ],
    ]);
    const { stdout, status: failed } = await check(wrong, '--json');
    expect([failed, JSON.parse(stdout)]).toEqual([
      1,
      [
        expect.objectContaining({ file: wrong, line: 5, column: 12, pointer: '/States/a.b' }),
        expect.objectContaining({ file: wrong, line: 5, column: 38, pointer: '/States/a.b/Next' }),
      ],
    ]);
    expect(await check(join(directory, 'none.json'))).toMatchObject({
      status: 1,
      stderr: `${directory}/none.json: cannot be read: no such file or directory.\n`,
    });
  });

  test('convert prints a definition of AWS Step Functions for this platform, and reports what is left', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-convert-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const save = async (name: string, text: string) => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    };
    const definition = (...command: string[]) =>
      runWrp(['definition', ...command], { env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' } });
    const whole = await save(
      'whole.asl.json',
      '{ "StartAt": "A", "States": { "A": { "Type": "Pass", "Parameters": { "a.$": "$.a" }, "End": true } } }',
    );
    expect(await definition('check', whole)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^\S+:1:1 This is JSONPath, .*`wrp definition convert FILE`\n$/),
    });
    const { status, stdout, stderr } = await definition('convert', whole);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ States: { A: { Output: { a: '{% $states.input.a %}' } } } });
    expect(await definition('convert', whole, '--write')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(`${whole} is written. Nothing is left to do.\n$`),
    });
    expect(await definition('check', whole)).toMatchObject({ status: 0 });

    const left = await save(
      'left.asl.yaml',
      [
        'StartAt: A',
        'States:',
        "  A: { Type: Pass, Parameters: { 'a.$': '$.a..*' }, Next: B }",
        "  B: { Type: Task, Resource: 'arn:aws:lambda:r:1:function:f', ResultPath: $.b, End: true }",
        '',
      ].join('\n'),
    );
    const output = join(directory, 'new.asl.yaml');
    const incomplete = await definition('convert', left, '--output', output);
    expect([incomplete.status, incomplete.stdout, incomplete.stderr.trimEnd().split('\n')]).toEqual([
      1,
      '',
      [
        expect.stringMatching(`^${left}:3:41 unsupported: /States/A/Parameters/a\\.\\$ `),
        expect.stringMatching(`^${left}:4:30 todo: /States/B/Resource `),
        '2 parts need your attention.',
      ],
    ]);
    expect(await definition('check', output)).toMatchObject({ status: 0 });
    const report = JSON.parse((await definition('convert', left, '--json')).stdout);
    expect(report).toMatchObject({
      definition: { QueryLanguage: 'JSONata' },
      findings: [
        { file: left, line: 3, kind: 'unsupported' },
        { file: left, line: 4, kind: 'todo' },
      ],
    });
  });
});
