import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claims, sound, wrpTest } from './tested-claims.ts';

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
});
