import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runWrp } from '../support/wrp.ts';

const claims = `QueryLanguage: JSONata
StartAt: Fetch
States:
  Fetch:
    Type: Task
    Resource: wrp:http:call
    Arguments: { url: "{% 'https://claims.example/' & $states.input.parameters.id %}" }
    Retry: [{ ErrorEquals: [Http.Status.503] }]
    Assign: { amount: '{% $states.result.body.amount %}' }
    Next: Large?
  Large?:
    Type: Choice
    Choices:
      - { Condition: '{% $amount > 1000 %}', Next: Ask }
    Default: Pay
  Ask: { Type: Task, Resource: 'wrp:callback:wait', Arguments: {}, TimeoutSeconds: 3600, Next: Pay }
  Pay: { Type: Succeed, Output: { paid: '{% $amount %}' } }
`;
const sound = `cases:
  a small claim:
    input: { id: C-1 }
    mocks:
      Fetch: [{ error: Http.Status.503 }, { output: { body: { amount: 10 } } }]
    expect:
      path: [Fetch, Large?, Pay]
      waited: 1
      output: { paid: 10 }
  a state alone:
    state: Large?
    variables: { amount: 1001 }
    expect: { next: Ask }
`;

/** Runs the command on claims.asl.yaml and its tests. */
async function wrpTest(tests: string | undefined, args: string[] = [], definition = claims) {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-tests-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, 'claims.asl.yaml'), definition);
  if (tests !== undefined) await writeFile(join(directory, 'claims.test.yaml'), tests);
  return runWrp(['definition', 'test', 'claims.asl.yaml', ...args], { directory });
}

describe('wrp definition test', () => {
  test('runs the example of the guide, which reaches all but one transition', async () => {
    const guide = await readFile(join(import.meta.dirname, '../../spec/guides/definitions.md'), 'utf8');
    const blockOf = (language: string) =>
      guide.split(`   \`\`\`${language}\n`)[1]?.split('   ```')[0]?.replaceAll(/^ {3}/gm, '') ?? '';
    const [definition, tests] = [blockOf('json'), blockOf('yaml any')];
    const { status, stdout } = await wrpTest(tests, ['--coverage'], definition);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /: states 4 of 4; Choice rules, Catchers and Retriers 3 of 4\n.*no case reaches Default of ‘Large\?’\n$/,
      ),
    });
  });

  test('prints the cases that pass', async () => {
    expect(await wrpTest(sound)).toEqual({
      status: 0,
      stdout: 'claims.asl.yaml\n  ✓ a small claim\n  ✓ a state alone (state Large?)\n',
      stderr: '',
    });
  });

  test('prints each difference with its place', async () => {
    const changed = sound
      .replace('Large?, Pay]', 'Pay]')
      .replace('waited: 1', 'waited: 2')
      .replace('paid: 10 }', 'paid: 11, by: bank }');
    expect(await wrpTest(changed)).toEqual({
      status: 1,
      stdout: `claims.asl.yaml
  ✗ a small claim
      claims.test.yaml:7:13 path: expected Fetch → Pay
                      is Fetch → Large? → Pay
      claims.test.yaml:8:15 waited: expected 2, is 1
      claims.test.yaml:9:23 output/paid: expected 11, is 10
      claims.test.yaml:9:31 output/by: expected "bank", is missing
  ✓ a state alone (state Large?)
`,
      stderr: '1 of 2 cases failed.\n',
    });
  });

  test.each<[what: string, tests: string, lines: RegExp[]]>([
    [
      'an expression that fails, with its position',
      'cases: { a: { input: { id: C-1 }, mocks: { Fetch: { output: { body: { amount: x } } } } } }',
      [
        /claims\.test\.yaml:1:\d+ status: expected "COMPLETED", is "FAILED"/,
        /claims\.asl\.yaml:14:22 \/States\/Large\?\/Choices\/0\/Condition States\.QueryEvaluationError: .*\(T2009\) at character 10 of the expression/,
      ],
    ],
    [
      'a task without a mock, with its state and arguments',
      'cases: { a: { input: { id: C-1 } } }',
      [
        /claims\.asl\.yaml:5:5 \/States\/Fetch The task ‘Fetch’ \(wrp:http:call\) has no mock: .*"https:\/\/claims\.example\/C-1"/,
      ],
    ],
    [
      'another error than expected',
      'cases: { a: { input: { id: C-1 }, mocks: { Fetch: { error: Http.Failed } }, expect: { error: X } } }',
      [/error: expected "X", is "Http\.Failed"/, /claims\.asl\.yaml:5:5 \/States\/Fetch Http\.Failed/],
    ],
  ])('explains %s', async (_what, tests, lines) => {
    const { status, stdout } = await wrpTest(tests);
    expect(status).toBe(1);
    for (const line of lines) expect(stdout).toMatch(line);
  });

  test.each<[what: string, tests: string, errors: string[]]>([
    [
      'unknown fields and wrong types',
      'cases:\n  a:\n    inptu: {}\n    expect: { waited: "3", status: DONE }\n',
      [
        '3:5 /cases/a/inptu is not a known property: use input, state, variables, parameters, context, mocks, expect',
        '4:23 /cases/a/expect/waited must be a number',
        '4:36 /cases/a/expect/status must be one of COMPLETED, FAILED, EXPIRED',
      ],
    ],
    [
      'states that do not exist',
      'mocks: { Fetsch: { output: {} } }\ncases:\n  a: { state: Nowhere, expect: { path: [Fetch, Ende], calls: { Aks: [] }, callsContain: { Aks: [] } } }\n',
      [
        '1:10 /mocks/Fetsch is not a state of the definition, whose tasks are Fetch, Ask',
        '3:15 /cases/a/state is not a state of the definition: Nowhere',
        '3:48 /cases/a/expect/path/1 is not a state of the definition: Ende',
        '3:64 /cases/a/expect/calls/Aks is not a state of the definition: Aks',
        '3:91 /cases/a/expect/callsContain/Aks is not a state of the definition: Aks',
      ],
    ],
    [
      'mocks that do not fit their tasks',
      'cases:\n  a:\n    mocks:\n      Large?: { output: {} }\n      Fetch: [{ output: { id: 1 } }]\n      Ask: { output: {} }\n',
      [
        '4:7 /cases/a/mocks/Large? is a Choice: only a Task has mocks',
        '5:27 /cases/a/mocks/Fetch/0/output/id is not a field of the result of wrp:http:call, which has statusCode, headers, body',
        '6:14 /cases/a/mocks/Ask/output is not the result of wrp:callback:wait: use callback: { output: … }',
      ],
    ],
    [
      'what only a state alone has',
      'cases:\n  a: { input: [], expect: { next: Pay } }\n',
      [
        '2:15 /cases/a/input must be a mapping: the parameters of the execution',
        '2:29 /cases/a/expect/next is only for a case with state',
      ],
    ],
    ['no cases', 'cases: {}\n', ['1:8 /cases must not be empty']],
    [
      'unknown fields of a callback',
      'cases:\n  a: { mocks: { Ask: { callback: { error: X, why: Y } } } }\n',
      ['2:46 /cases/a/mocks/Ask/callback/why is not a known property: use output, error, cause'],
    ],
    [
      'callbacks that nobody can post',
      'cases:\n  a: { mocks: { Ask: { callback: { error: X, output: Y } } } }\n  b: { mocks: { Ask: { callback: { cause: Y } } } }\n',
      [
        '2:24 /cases/a/mocks/Ask/callback must be { output: … } or { error: Name, cause: … }',
        '3:24 /cases/b/mocks/Ask/callback must be { output: … } or { error: Name, cause: … }',
      ],
    ],
  ])('reports %s in the test file', async (_what, tests, errors) => {
    expect(await wrpTest(tests)).toEqual({
      status: 1,
      stdout: '',
      stderr: errors.map((error) => `claims.test.yaml:${error}\n`).join(''),
    });
  });

  test.each<[what: string, mocks: string, lines: string[]]>([
    [
      'a list with more mocks than calls',
      '[{ output: { body: { amount: 1 } } }, { output: {} }, { output: {} }]',
      ['2 of 3 were not used'],
    ],
    [
      'one mock too many',
      '[{ output: { body: { amount: 1 } } }, { timeout: true }]',
      ['1 of 2 was not used'],
    ],
    ['a list that is used up', '[{ error: Http.Status.503 }, { output: { body: { amount: 1 } } }]', []],
    ['a mock for every call', '{ output: { body: { amount: 1 } } }', []],
  ])('counts the calls of %s', async (_what, mocks, lines) => {
    const tests = `cases:\n  a:\n    input: { id: C-1 }\n    mocks:\n      Fetch: ${mocks}\n`;
    const { status, stdout } = await wrpTest(tests);
    const found = stdout.split('\n').filter((line) => line.includes('not used'));
    expect([status, found]).toEqual([
      lines.length === 0 ? 0 : 1,
      lines.map((line) => `      claims.test.yaml:5:7 mocks/Fetch: ${line}`),
    ]);
    // A list for all cases may be longer than one of them needs.
    const shared = `mocks:\n  Fetch: ${mocks}\ncases:\n  a:\n    input: { id: C-1 }\n`;
    expect(await wrpTest(shared)).toMatchObject({ status: 0 });
  });

  test('has the error of the API for a Fail without Error', async () => {
    const definition = 'QueryLanguage: JSONata\nStartAt: A\nStates: { A: { Type: Fail, Cause: Enough. } }\n';
    const tests = 'cases: { a: { expect: { error: Fail, cause: Enough. } } }';
    expect(await wrpTest(tests, ['--verbose'], definition)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/ without a name: Enough\.\n {6}FAILED after 0 s: Fail\n$/),
    });
  });

  test.each<[contains: string, differences: string[]]>([
    ['{ paid: 10 }', []],
    ['{ lines: [{ id: 1 }, {}] }', []],
    ['{}', []],
    ['{ paid: 11 }', ['outputContains/paid: expected 11, is 10']],
    ['{ lines: [{ id: 2 }, {}] }', ['outputContains/lines/0/id: expected 2, is 1']],
    ['{ lines: [{ id: 1 }] }', ['outputContains/lines: expected [{"id":1}], is [{"id":1,"n":2},{"id":3}]']],
    ['{ by: bank }', ['outputContains/by: expected "bank", is missing']],
  ])('compares a part of the output: %s', async (contains, differences) => {
    const definition = `QueryLanguage: JSONata
StartAt: A
States: { A: { Type: Pass, Output: { paid: 10, lines: [{ id: 1, n: 2 }, { id: 3 }] }, End: true } }
`;
    const tests = `cases: { a: { expect: { outputContains: ${contains} } } }`;
    const { status, stdout } = await wrpTest(tests, [], definition);
    const found = stdout.split('\n').filter((line) => line.includes('expected'));
    expect([status, found.map((line) => line.replace(/^ *claims\.test\.yaml:1:\d+ /, ''))]).toEqual([
      differences.length === 0 ? 0 : 1,
      differences,
    ]);
  });

  test.each<[contains: string, differences: string[]]>([
    ['[{ url: https://claims.example/C-1 }, {}]', []],
    ['[{}, {}]', []],
    ['[{ body: { n: 1 } }, { body: { lines: [1, 2] } }]', []],
    ['[{ body: { n: 2 } }, {}]', ['callsContain/Fetch/0/body/n: expected 2, is 1']],
    ['[{}, { body: { lines: [1] } }]', ['callsContain/Fetch/1/body/lines: expected [1], is [1,2]']],
    ['[{ query: {} }, {}]', ['callsContain/Fetch/0/query: expected {}, is missing']],
    [
      '[{}]',
      [
        'callsContain/Fetch: expected [{}], is [{"url":"https://claims.example/C-1","body":{"n":1,"lines":[1,2]}}',
      ],
    ],
  ])('compares a part of the arguments of each call: %s', async (contains, differences) => {
    const definition = claims.replace(
      'parameters.id %}" }',
      'parameters.id %}", body: { n: 1, lines: [1, 2] } }',
    );
    const tests = `cases:
  a:
    input: { id: C-1 }
    mocks: { Fetch: [{ error: Http.Status.503 }, { output: { body: { amount: 1 } } }] }
    expect: { callsContain: { Fetch: ${contains} } }
`;
    const { status, stdout } = await wrpTest(tests, [], definition);
    const found = stdout.split('\n').filter((line) => line.includes('expected'));
    expect([status, found.length]).toEqual([differences.length === 0 ? 0 : 1, differences.length]);
    for (const [index, line] of found.entries()) {
      expect(line).toMatch(/^ *claims\.test\.yaml:5:\d+ /);
      expect(line).toContain(` ${differences[index]}`);
    }
  });

  test('reports the errors of the definition', async () => {
    const { status, stderr } = await wrpTest(sound, [], claims.replace('Default: Pay', 'Default: Pya'));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^claims\.asl\.yaml:15:14 \/States\/Large\?\/Default .*Pya/),
    });
  });

  test('prints the steps of one case or state', async () => {
    const { stdout } = await wrpTest(sound, ['--state', 'Large?']);
    expect(stdout).toBe(`claims.asl.yaml
  ✓ a state alone (state Large?)
      Large? (Choice), 0 s
        input     {}
        output    {}
        next      Ask (Choices/0)
      COMPLETED after 0 s, next Ask {}
`);
    const { stdout: verbose } = await wrpTest(sound, ['--case', 'a small claim']);
    for (const line of [
      /Fetch \(Task\), 0 s\n/,
      /arguments {"url":"https:\/\/claims\.example\/C-1"}/,
      /error {5}claims\.asl\.yaml:5:5 \/States\/Fetch Http\.Status\.503\n {8}next {6}Retry\/0/,
      /Fetch \(Task\), attempt 2, 1 s\n/,
      /assigned {2}{"amount":10}/,
      /COMPLETED after 1 s {"paid":10}/,
    ]) {
      expect(verbose).toMatch(line);
    }
  });

  test('runs once with an input, with or without a test file', async () => {
    const mocks = 'mocks: { Fetch: { output: { body: { amount: 3 } } } }\ncases: { none: {} }\n';
    expect(await wrpTest(mocks, ['--input', '{"id":"C-1"}'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('COMPLETED after 0 s {"paid":3}'),
    });
    expect(await wrpTest(undefined, ['--state', 'Pay', '--input', '{}'])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/claims\.asl\.yaml:17:\d+ \/States\/Pay\/Output\/paid States\.Query/),
    });
  });

  test.each([
    [[], 'Pay (Default)'],
    [['--variables', '{"amount": 1001}'], 'Ask (Choices/0)'],
    [['--variables', '{"amount": 1000}'], 'Pay (Default)'],
  ])('runs a state once with variables: %j', async (more, next) => {
    const definition = claims.replace('$amount > 1000', '$exists($amount) and $amount > 1000');
    const args = ['--state', 'Large?', '--input', '{}', ...more];
    expect(await wrpTest(undefined, args, definition)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`next      ${next}\n`),
    });
  });

  test('runs a state once with the parameters of the execution', async () => {
    const definition = claims.replace('$amount > 1000', '$states.context.Execution.Input.parameters.n = 7');
    const args = ['--state', 'Large?', '--input', '{}', '--parameters', '{"n": 7}'];
    const { stdout } = await wrpTest(undefined, args, definition);
    expect(stdout).toContain('next      Ask (Choices/0)\n');
  });

  test.each([[['--case', 'a']], [['--state', 'Pay']], [['--verbose']], [[]]])(
    'cuts long values, and prints them all with --full: %j',
    async (args) => {
      const text = 'x'.repeat(700);
      const tests = `cases: { a: { state: Pay, variables: { amount: ${text} }, expect: { output: { paid: 1 } } } }`;
      const { stdout: cut } = await wrpTest(tests, args);
      expect(cut).not.toContain(text);
      expect(cut.match(/… \(\d+ characters; --full prints all\)/g)?.length).toBeGreaterThan(1);
      const { stdout: full } = await wrpTest(tests, [...args, '--full']);
      expect(full).toContain(`output/paid: expected 1, is "${text}"\n`);
      expect(full).toContain(`output    {"paid":"${text}"}\n`);
      expect(full).not.toContain('…');
    },
  );

  test('prints all steps with --full', async () => {
    const loop = `QueryLanguage: JSONata
StartAt: A
States:
  A: { Type: Pass, Assign: { n: 0 }, Next: B }
  B: { Type: Pass, Assign: { n: '{% $n + 1 %}' }, Next: C }
  C: { Type: Choice, Choices: [{ Condition: '{% $n < 150 %}', Next: B }], Default: D }
  D: { Type: Succeed, Output: {} }
`;
    const { stdout: cut } = await wrpTest(undefined, ['--input', '{}'], loop);
    expect(cut).toContain('… 102 steps before …\n');
    const { stdout: full } = await wrpTest(undefined, ['--input', '{}', '--full'], loop);
    expect(full).not.toContain('steps before');
    expect(full.match(/^ {6}B \(Pass\)/gm)).toHaveLength(150);
  });

  test('prints JSON with the places of all that the text names', async () => {
    const tests = `cases:
  a:
    input: { id: C-1 }
    mocks:
      Fetch: [{ output: { body: { amount: 1 } } }, { output: {} }]
    expect:
      status: FAILED
      outputContains: { lines: [1] }
  b: { input: { id: C-2 } }
`;
    const text = await wrpTest(tests, ['--coverage']);
    const { stdout } = await wrpTest(tests, ['--coverage', '--json']);
    const [{ cases, coverage }] = JSON.parse(stdout).files;
    const places = [
      ...cases[0].differences,
      ...cases[0].unused,
      cases[1].place,
      ...coverage.states.missing,
      ...coverage.transitions.missing,
    ].map(({ file, line, column }) => `${file}:${line}:${column}`);
    expect(places.length).toBeGreaterThan(6);
    // The text orders by place, and lists the places of a failed run, too.
    const printed = [...text.stdout.matchAll(/^ *(claims\.\w+\.yaml:\d+:\d+) /gm)].map(([, place]) => place);
    expect([...new Set(places)].filter((place) => !printed.includes(place))).toEqual([]);
  });

  test('lists what no case reaches', async () => {
    const { status, stdout } = await wrpTest(
      sound.replace('amount: 1001', 'amount: 1').replace('Ask }', 'Pay }'),
      ['--coverage'],
    );
    expect(status).toBe(0);
    expect(stdout).toContain(`  Coverage: states 3 of 4; Choice rules, Catchers and Retriers 2 of 3
    claims.asl.yaml:14:9 /States/Large?/Choices/0 no case reaches Choices[0] of ‘Large?’
    claims.asl.yaml:16:3 /States/Ask no case reaches state ‘Ask’
`);
  });

  test('prints JSON for programs', async () => {
    const { status, stdout, stderr } = await wrpTest(sound.replace('waited: 1', 'waited: 2'), ['--json']);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '1 of 2 cases failed.\n' });
    expect(JSON.parse(stdout)).toEqual({
      files: [
        {
          file: 'claims.asl.yaml',
          tests: 'claims.test.yaml',
          cases: [
            expect.objectContaining({
              name: 'a small claim',
              passed: false,
              differences: [
                { pointer: '/waited', expected: 2, actual: 1, file: 'claims.test.yaml', line: 8, column: 15 },
              ],
              status: 'COMPLETED',
              path: ['Fetch', 'Large?', 'Pay'],
              steps: expect.arrayContaining([expect.objectContaining({ state: 'Fetch', attempt: 2 })]),
            }),
            expect.objectContaining({ name: 'a state alone', state: 'Large?', passed: true, next: 'Ask' }),
          ],
        },
      ],
      errors: [],
    });
  });

  test.each<[what: string, tests: string | undefined, args: string[], status: number, stderr: RegExp]>([
    [
      'no test file',
      undefined,
      [],
      1,
      /^claims\.test\.yaml does not exist: write it, or run once with --input/,
    ],
    [
      'an unknown case',
      sound,
      ['--case', 'x'],
      1,
      /has no case ‘x’; its cases: ‘a small claim’, ‘a state alone’\./,
    ],
    ['a state without a case', sound, ['--state', 'Pay'], 1, /has no case with state: Pay\./],
    ['a test file that does not exist', sound, ['--tests', 'x.yaml'], 1, /^x\.yaml: cannot be read: no such/],
    [
      'a test file instead of a definition',
      sound,
      ['claims.test.yaml'],
      1,
      /is a test file: name its definition/,
    ],
    ['an input that is not JSON', sound, ['--input', '{'], 2, /--input <json>.* It is not JSON/],
    ...['--variables', '--parameters'].flatMap((option) =>
      [[], ['--state', 'Pay'], ['--input', '{}']].map((more): [string, string, string[], number, RegExp] => [
        `${option} with ${more.join(' ') || 'nothing'}`,
        sound,
        [option, '{}', ...more],
        2,
        /only for --state with --input/,
      ]),
    ),
    ['variables that are no object', sound, ['--variables', '[]'], 2, /It is not a JSON object/],
    ['an unknown option', sound, ['--cover'], 2, /unknown option '--cover'/],
  ])('says what to do with %s', async (_what, tests, args, status, stderr) => {
    expect(await wrpTest(tests, args)).toMatchObject({ status, stderr: expect.stringMatching(stderr) });
  });

  test('ends an endless state by the limits of the platform', async () => {
    const endless = `QueryLanguage: JSONata
StartAt: A
States:
  A:
    Type: Pass
    Output: { a: '{% ($f := function(){ $f() }; $f()) %}' }
    End: true
`;
    const expected = 'cases: { a: { expect: { error: States.QueryEvaluationError, path: [A] } } }';
    expect(await wrpTest(expected, [], endless)).toMatchObject({ status: 0 });
  });
});
