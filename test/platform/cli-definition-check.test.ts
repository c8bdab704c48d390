import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { directoryWith } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';

describe('wrp definition check', () => {
  const task = (resource: string, args: string) =>
    `QueryLanguage: JSONata\nStartAt: T\nStates:\n  T: { Type: Task, Resource: 'wrp:${resource}', End: true, Arguments: ${args} }\n`;
  const check = async (definition: string) => {
    const directory = await directoryWith({ 'a.asl.yaml': definition });
    return runWrp(['definition', 'check', 'a.asl.yaml', '--json'], { directory });
  };

  test.each([
    ['constructor', '{ a: 1 }', /Must be a supported task/],
    [
      'wrp:mail:send',
      "{ constructor: '{% 1 %}', to: a@example.com, subject: a, text: a }",
      /Unknown field ‘constructor’/,
    ],
  ])('reports names of the language itself as any other: %s %s', async (resource, args, message) => {
    const { status, stdout } = await check(task('mail:send', args).replace('wrp:mail:send', resource));
    expect([status, JSON.parse(stdout)]).toEqual([
      1,
      [expect.objectContaining({ message: expect.stringMatching(message) })],
    ]);
  });

  describe('standard input', () => {
    const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
    const input = 'QueryLanguage: JSONata\nStartAt: A\nStates: { A: { Type: Sucseed } }\n';
    const wrpWith = (given: string, ...args: string[]) => {
      const ended = spawnSync(process.execPath, [launcher, 'definition', ...args], { input: given });
      return [ended.status, String(ended.stdout), String(ended.stderr)];
    };

    test('is read as -', () => {
      expect(wrpWith(input, 'check', '-')).toEqual([
        1,
        '',
        expect.stringMatching(/^-:3:22 \/States\/A\/Type /),
      ]);
      const valid = input.replace('Sucseed', 'Succeed');
      expect(wrpWith(valid, 'check', '-')).toEqual([0, 'Standard input is valid.\n', '']);
    });

    test('is converted as -, but not replaced', () => {
      const given =
        '{"StartAt": "A", "States": {"A": {"Type": "Pass", "OutputPath": "$.a..*", "End": true}}}';
      const [status, stdout, stderr] = wrpWith(given, 'convert', '-');
      expect([status, JSON.parse(String(stdout)).QueryLanguage, stderr]).toEqual([
        1,
        'JSONata',
        expect.stringMatching(/^-:1:\d+ unsupported: \/States\/A\/OutputPath /m),
      ]);
      expect(wrpWith(given, 'convert', '-', '--write')).toEqual([
        2,
        '',
        '--write replaces a file: use --output with standard input.\n',
      ]);
    });
  });

  test.each(['check', 'convert', 'test'])('reports a file that cannot be read: %s', async (command) => {
    const directory = await directoryWith({});
    for (const [file, reason] of [
      ['none.asl.yaml', 'no such file or directory'],
      [directory, 'it is a directory'],
    ] as const) {
      expect(await runWrp(['definition', command, file], { directory })).toEqual({
        status: 1,
        stdout: '',
        stderr: `${file}: cannot be read: ${reason}.\n`,
      });
    }
  });

  describe.each(['check', 'convert', 'test', 'draw'])('%s says what it is given', (command) => {
    const machine =
      "{ Type: 'AWS::Serverless::StateMachine', Properties: { Definition: { StartAt: !Sub 'a' } } }";
    test.each<[file: string, text: string, message: RegExp]>([
      [
        'a.yaml',
        `AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n`,
        /^a\.yaml:1:1 .*a CloudFormation template/,
      ],
      [
        'a.yaml',
        `Transform: x\nResources:\n  A: ${machine}\n`,
        /^a\.yaml:1:1 .*put the Definition or DefinitionString/,
      ],
      [
        'a.json',
        '{"Resources": {"A": {"Type": "AWS::SQS::Queue"}}}',
        /^a\.json:1:1 .*a CloudFormation template/,
      ],
      [
        'a.yaml',
        'StartAt: A\nb: !GetAtt A.Arn\n',
        /^a\.yaml:2:4 The tag !GetAtt is not known: write the value/,
      ],
    ])('%s %s', async (file, text, message) => {
      const directory = await directoryWith({ [file]: text });
      const { status, stderr } = await runWrp(['definition', command, file], { directory });
      expect([status, stderr.trimEnd()]).toEqual([1, expect.stringMatching(message)]);
      expect(stderr.trimEnd()).not.toContain('\n');
    });
  });

  test.each<[resource: string, args: string, errors: [pointer: string, message: RegExp][]]>([
    [
      'http:call',
      "{ uri: 'https://a.example.com', metod: GET }",
      [
        ['', /^‘url’ is missing$/],
        ['/uri', /^Unknown field ‘uri’; .* Did you mean ‘url’\?$/],
        ['/metod', /Did you mean ‘method’\?$/],
      ],
    ],
    ['http:call', "{ url: '{% $states.input.url %}', method: FETCH }", [['/method', /must be one of GET/]]],
    [
      'http:call',
      "{ url: 'https://a.example.com', method: '{% $x %}', query: [1] }",
      [['/query', /must be an object/]],
    ],
    [
      'http:call',
      "{ url: 'https://a.example.com', headers: { Host: a } }",
      [['', /‘host’ is set by the platform/]],
    ],
    [
      'mail:send',
      "{ to: 'a@example.com', subjct: '{% 1 %}', text: a }",
      [
        ['', /^‘subject’ is missing$/],
        ['/subjct', /Did you mean ‘subject’\?$/],
      ],
    ],
    [
      'mail:send',
      '{ to: nobody, subject: "{% \'a\' %}", text: 1 }',
      [
        ['/to', /not an e-mail/],
        ['/text', /must be a string/],
      ],
    ],
    [
      'callback:wait',
      "{ requst: { url: 'https://a.example.com' } }",
      [['/requst', /Did you mean ‘request’\?$/]],
    ],
    [
      'callback:wait',
      "{ request: { urll: '{% 1 %}' } }",
      [
        ['/request', /‘url’ is missing/],
        ['/request/urll', /Unknown field/],
      ],
    ],
    [
      'http:call',
      "{ url: 'https://a.example.com', query: { q: [1] }, headers: { 'a b': 1 } }",
      [
        ['/query', /cannot be sent: q\. A value is a string, a number or a boolean; a name is not empty$/],
        ['/headers', /cannot be sent: a b\. A value is a string of one line/],
      ],
    ],
    ['callback:wait', '{ request: POST }', [['/request', /must be an object/]]],
    ['resource:create', "{ name: a.txt, text: '{% 1 %}', json: {} }", [['/text', /must be one of/]]],
    [
      'attachment:create',
      "{ name: a.txt, text: a, recordId: A-1, tags: ['{% 1 %}'] }",
      [['/recordId', /must be a UUID/]],
    ],
  ])('compares the literal arguments of %s with the task: %s', async (resource, args, errors) => {
    const { status, stdout } = await check(task(resource, args).replaceAll('$x', '$states.input'));
    const found = (JSON.parse(stdout) as { pointer: string; message: string; level: string }[]).map(
      ({ pointer, message, level }) => [level, pointer.replace('/States/T/Arguments', ''), message],
    );
    expect([status, found]).toEqual([
      1,
      errors.map(([pointer, message]) => ['error', pointer, expect.stringMatching(message)]),
    ]);
  });

  test.each(['1', 'text', '[]', 'null'])('refuses Arguments that are no object: %s', async (args) => {
    for (const resource of supportedResources) {
      const { status, stdout } = await check(task(resource.replace('wrp:', ''), args));
      expect([status, JSON.parse(stdout)]).toEqual([
        1,
        [expect.objectContaining({ pointer: '/States/T/Arguments', message: 'Arguments must be an object' })],
      ]);
    }
  });

  describe('reports a task without Arguments', () => {
    const bare = (resource: string, next: string) => `{ Type: Task, Resource: '${resource}', ${next} }`;
    const begin = 'QueryLanguage: JSONata\nStartAt: A\nStates:\n';
    const pass = "{ Type: Pass, Output: { url: 'https://a.example.com' }, Next: B }";

    test.each([...supportedResources])('that an execution starts with: %s', async (resource) => {
      const { status, stdout } = await check(`${begin}  A: ${bare(resource, 'End: true')}\n`);
      const message = expect.stringMatching(/input of the execution\. Unknown field ‘parameters’; .*[^.]$/);
      expect([status, JSON.parse(stdout)]).toEqual([
        1,
        [expect.objectContaining({ level: 'error', pointer: '/States/A', line: 4, message })],
      ]);
    });

    test.each([...supportedResources])(
      'after another state, in a branch and for an item: %s',
      async (resource) => {
        const inner = `{ StartAt: A2, States: { A2: ${bare(resource, 'End: true')} } }`;
        const { status, stdout } = await check(`${begin}  A: ${pass}
  B: ${bare(resource, 'Next: C')}
  C: { Type: Parallel, Branches: [${inner}], Next: D }
  D: { Type: Map, Items: [1], ItemProcessor: ${inner.replaceAll('A2', 'A3')}, End: true }
`);
        const found = (JSON.parse(stdout) as { level: string; pointer: string; message: string }[]).map(
          ({ level, pointer, message }) => [level, pointer, message],
        );
        const message = expect.stringMatching(/^Arguments is missing, so they are the input of the state/);
        expect([status, found]).toEqual([
          0,
          ['/B', '/C/Branches/0/States/A2', '/D/ItemProcessor/States/A3'].map((state) => [
            'warning',
            `/States${state}`,
            message,
          ]),
        ]);
      },
    );
  });

  test.each([
    [
      'http:call',
      "{ url: '{% $states.input.url %}', headers: { X: '{% 1 %}' }, query: { q: '{% 1 %}' }, body: { a: '{% 1 %}' } }",
    ],
    ['http:call', "'{% $states.input %}'"],
    ['http:call', "{ url: 'https://invalid.example.com/a.invalid', body: 'costs $ {5}' }"],
    ['mail:send', "{ to: '{% $states.input.to %}', subject: '{% 1 %}', text: '{% 1 %}', html: '{% 1 %}' }"],
    ['callback:wait', "{ request: '{% $states.input %}' }"],
    ['resource:create', "{ name: '{% 1 %}', json: { a: ['{% 1 %}'] } }"],
    ['attachment:create', "{ resourceId: '{% 1 %}', recordId: '{% 1 %}', tags: ['{% 1 %}'] }"],
  ])('accepts the arguments of %s: %s', async (resource, args) => {
    expect(await check(task(resource, args))).toMatchObject({ status: 0, stdout: '[]\n' });
  });

  test.each([
    ['http:call', "{ url: 'https://endpoint.invalid/a' }", '/url', /never do: endpoint\.invalid$/],
    ['http:call', '{ url: "{% \'https://endpoint.invalid/\' & 1 %}" }', '/url', /endpoint\.invalid/],
    [
      'mail:send',
      '{ to: \'a@example.com\', subject: "Hello $\\x7bName}", text: a }',
      '/subject',
      /not replaced: \$\{Name\}$/,
    ],
    ['callback:wait', '{}', '', /nobody receives the callback URL/],
    [
      'http:call',
      "{ url: 'ftp://a.example.com' }",
      '/url',
      /Http\.Refused: Only http and https are allowed$/,
    ],
    ['http:call', "{ url: '/orders' }", '/url', /Http\.Refused: The address is not a valid URL$/],
    ['http:call', "{ url: 'https://a:b@a.example.com' }", '/url', /Http\.Refused: .* credentials$/],
    ['callback:wait', "{ request: { url: 'mailto:a@example.com' } }", '/request/url', /Http\.Refused/],
    ['http:call', '{ url: "$\\x7bHost}/a" }', '/url', /not replaced: \$\{Host\}$/],
    [
      'http:call',
      '{ url: "{% \'https://a.example.com/\' & $states.context.Execution.RoleArn %}" }',
      '/url',
      /has no field ‘RoleArn’/,
    ],
  ])('warns of what is left to do in %s: %s', async (resource, args, pointer, message) => {
    const { status, stdout } = await check(task(resource, args));
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      [
        expect.objectContaining({
          level: 'warning',
          pointer: `/States/T/Arguments${pointer}`,
          message: expect.stringMatching(message),
        }),
      ],
    ]);
    const directory = await directoryWith({ 'a.asl.yaml': task(resource, args) });
    const text = await runWrp(['definition', 'check', 'a.asl.yaml'], { directory });
    expect(text).toEqual({
      status: 0,
      stdout: 'a.asl.yaml is valid.\n',
      stderr: expect.stringMatching(/^a\.asl\.yaml:4:\d+ \/States\/T\/Arguments\S* warning: /),
    });
  });

  test.each([
    [
      'a.json',
      '{ "QueryLanguage": "JSONata", "StartAt": "A", }',
      /^a\.json:1:45 The file is not JSON: remove this comma$/,
    ],
    ['a.json', '{ "States": [", ]", 1,\n] }', /^a\.json:1:22 .*remove this comma$/],
    ['a.json', "{ 'a': 1 }", /^a\.json:1:3 The file is not JSON: Expected property name/],
    ['a.json', 'a: 1', /^a\.json:1:1 The file is not JSON: Unexpected token 'a'$/],
    ['a.json', '{ "a": 1, "b": 2,\n "a": 3 }', /^a\.json:2:2 The key ‘a’ is there twice$/],
    ['a.yaml', 'a: 1\nb: { c: 1, c: 2 }', /^a\.yaml:2:12 The key ‘c’ is there twice$/],
    ['a.yaml', "a: {% $b ? {'x': 1} : 2 %}", /^a\.yaml:1:5 Put the expression in quotes: '\{% … %\}'$/],
    ['a.yaml', 'a:\n  - {% $b %}\nc: { d: {% $e %} }', /^a\.yaml:2:6 Put .*\na\.yaml:3:10 Put .*$/],
  ])('names the syntax error of %s: %s', async (file, text, message) => {
    const directory = await directoryWith({ [file]: text });
    const { status, stderr } = await runWrp(['definition', 'check', file], { directory });
    expect([status, stderr.trimEnd()]).toEqual([1, expect.stringMatching(message)]);
  });
});
