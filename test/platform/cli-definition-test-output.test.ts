import { describe, expect, test } from 'vitest';
import { claims, sound, wrpTest } from './tested-claims.ts';

describe('what wrp definition test prints', () => {
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
