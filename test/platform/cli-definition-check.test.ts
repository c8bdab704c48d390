import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import manifest from '../../server/package.json' with { type: 'json' };
import { supportedResources } from '../../server/src/workflows/tasks/task.ts';
import { atEnd } from '../support/temporary.ts';
import { runWrp } from '../support/wrp.ts';

async function directoryWith(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-definitions-'));
  atEnd(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

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

  test('reads standard input as -', async () => {
    const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
    const input = 'QueryLanguage: JSONata\nStartAt: A\nStates: { A: { Type: Sucseed } }\n';
    const { status, stderr } = spawnSync(process.execPath, [launcher, 'definition', 'check', '-'], { input });
    expect([status, String(stderr)]).toEqual([1, expect.stringMatching(/^-:3:22 \/States\/A\/Type /)]);
  });

  test.each<[resource: string, args: string, errors: [pointer: string, message: RegExp][]]>([
    [
      'http:call',
      "{ uri: 'https://a.example.com', metod: GET }",
      [
        ['', /^‘url’ is missing$/],
        ['/uri', /^Unknown field ‘uri’; .* Did you mean `url`\?$/],
        ['/metod', /Did you mean `method`\?$/],
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
        ['/subjct', /Did you mean `subject`\?$/],
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
      [['/requst', /Did you mean `request`\?$/]],
    ],
    [
      'callback:wait',
      "{ request: { urll: '{% 1 %}' } }",
      [
        ['/request', /‘url’ is missing/],
        ['/request/urll', /Unknown field/],
      ],
    ],
    ['callback:wait', '{ request: POST }', [['/request', /must be an object/]]],
    ['resource:create', "{ name: a.txt, text: '{% 1 %}', json: {} }", [['/text', /must be one of/]]],
    ['attachment:create', "{ recordId: A-1, tags: ['{% 1 %}'] }", [['/recordId', /must be a UUID/]]],
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

describe('wrp definition check --sarif', () => {
  test('prints every error of every file as SARIF 2.1.0, and fails', async () => {
    const directory = await directoryWith({
      'a b.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates:\n  Done: { Type: Wait, Next: x }\n',
      'cut.asl.json': '{\n  "StartAt": ',
      'right.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n',
    });
    const check = (...files: string[]) =>
      runWrp(['definition', 'check', '--sarif', ...files], {
        directory,
        env: { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      });
    const { status, stdout, stderr } = await check(
      'a b.asl.yaml',
      'right.asl.yaml',
      join(directory, 'cut.asl.json'),
    );
    const log = JSON.parse(stdout);
    expect([status, stderr]).toEqual([1, `${log.runs[0].results.length} errors.\n`]);
    expect(log).toMatchObject({
      version: '2.1.0',
      $schema: expect.stringMatching(/^https:.*\/sarif-schema-2\.1\.0\.json$/),
      runs: [{ tool: { driver: { name: 'wrp definition check', version: manifest.version } } }],
    });
    const [run, ...others] = log.runs;
    expect(others).toEqual([]);
    expect(run.columnKind).toBe('utf16CodeUnits');
    const { rules } = run.tool.driver;
    for (const { id, shortDescription } of rules) {
      expect([id, shortDescription.text]).toEqual([
        expect.stringMatching(/^\w+$/),
        expect.stringMatching(/\w/),
      ]);
    }
    for (const { ruleId, ruleIndex, level, message, locations } of run.results) {
      expect(rules[ruleIndex].id).toBe(ruleId);
      expect([level, typeof message.text]).toEqual(['error', 'string']);
      const [{ physicalLocation }] = locations;
      const { uri } = physicalLocation.artifactLocation;
      expect(new URL(uri, 'file:///').pathname).toBe(uri.replace(/^(file:\/\/)?\/?/, '/'));
      for (const number of Object.values(physicalLocation.region)) expect(number).toBeGreaterThanOrEqual(1);
    }
    const places = run.results.map((result: (typeof run.results)[0]) => {
      const [{ physicalLocation, logicalLocations }] = result.locations;
      const { startLine, startColumn } = physicalLocation.region;
      return [
        result.ruleId,
        physicalLocation.artifactLocation.uri,
        startLine,
        startColumn,
        logicalLocations?.[0].fullyQualifiedName,
      ];
    });
    expect(places).toEqual([
      ['definition', 'a%20b.asl.yaml', 4, 9, '/States/Done'],
      ['definition', 'a%20b.asl.yaml', 4, 29, '/States/Done/Next'],
      ['syntax', 'cut.asl.json', 2, 14, undefined],
    ]);
    const outside = await directoryWith({ 'wrong.json': '{}' });
    const file = join(outside, 'wrong.json');
    expect(
      JSON.parse((await check(file)).stdout).runs[0].results[0].locations[0].physicalLocation,
    ).toMatchObject({
      artifactLocation: { uri: pathToFileURL(file).href },
    });
  });

  test('prints a log without results for valid files, and succeeds', async () => {
    const directory = await directoryWith({
      'right.asl.yaml': 'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n',
    });
    const { status, stdout } = await runWrp([
      'definition',
      'check',
      '--sarif',
      join(directory, 'right.asl.yaml'),
    ]);
    expect([status, JSON.parse(stdout).runs[0].results]).toEqual([0, []]);
  });
});
