import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../server/package.json' with { type: 'json' };
import { cloneDatabase } from '../support/postgres.ts';
import { atEnd } from '../support/temporary.ts';
import { runWrp, wrpOn } from '../support/wrp.ts';
import { smallPlatform } from './small-platform.ts';

const { connectionString } = await cloneDatabase();
const wrp = wrpOn(connectionString);

async function directoryWith(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-definitions-'));
  atEnd(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

/** The platform with the definition `echo`: its revision, and its states as YAML. */
const platformOf = (revision: string, states: string, name = 'echo') =>
  smallPlatform
    .replace("revision: '1'", `revision: '${revision}'`)
    .replace('Echo: { Type: Succeed }', states)
    .replace('name: echo', `name: ${name}`);

async function apply(text: string, ...options: string[]) {
  const directory = await directoryWith({ 'p.yaml': text });
  return wrp('apply', join(directory, 'p.yaml'), ...options);
}

const first = 'Echo: { Type: Wait, Seconds: 1, Next: End }\n                End: { Type: Succeed }';
const second = 'Echo: { Type: Wait, Seconds: 2, Next: Stop }\n                Stop: { Type: Succeed }';

describe('wrp definition show', () => {
  beforeAll(async () => {
    for (const [revision, states] of [
      ['1', first],
      ['2', second],
    ] as const) {
      expect(await apply(platformOf(revision, states))).toMatchObject({ status: 0 });
    }
  });

  test('prints the current revision, or another one, as it is stored', async () => {
    const { status, stdout } = await wrp('definition', 'show', 'echo');
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        QueryLanguage: 'JSONata',
        StartAt: 'Echo',
        States: { Echo: { Type: 'Wait', Seconds: 2, Next: 'Stop' }, Stop: { Type: 'Succeed' } },
      },
    ]);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['QueryLanguage', 'StartAt', 'States']);
    const { stdout: earlier } = await wrp('definition', 'show', 'echo', '--revision', '1');
    expect(JSON.parse(earlier).States.Echo.Seconds).toBe(1);
  });

  test('prints the rest of the revision with --json', async () => {
    const { stdout } = await wrp('definition', 'show', 'echo', '--revision', '1', '--json');
    expect(JSON.parse(stdout)).toEqual({
      id: expect.any(String),
      name: 'echo',
      workspace: { id: expect.any(String), name: 'Boats' },
      revision: '1',
      revisions: ['1', '2'],
      defaultLocale: 'en',
      createdDateTime: expect.stringMatching(/^\d{4}-.*Z$/),
      inputSchema: {},
      uiOptions: {},
      definition: expect.objectContaining({ StartAt: 'Echo' }),
    });
  });

  test.each<[what: string, args: string[], line: string]>([
    ['a definition', ['other'], 'There is no definition other in production.'],
    ['a revision', ['echo', '--revision', '3'], 'The definition echo has no revision 3: it has 1, 2.'],
  ])('reports %s that does not exist on one line', async (_what, args, line) => {
    expect(await wrp('definition', 'show', ...args)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
  });

  test('names the other environment that has the definition', async () => {
    await apply(
      platformOf('1', first, 'elsewhere')
        .replace('production:', 'sandbox:')
        .replaceAll('type: LIVE', 'type: SANDBOX'),
    );
    for (const command of ['show', 'draw']) {
      expect(await wrp('definition', command, 'elsewhere')).toEqual({
        status: 1,
        stdout: '',
        stderr: 'There is no definition elsewhere in production. It is in sandbox: add -e sandbox.\n',
      });
    }
    expect(await wrp('definition', 'show', 'elsewhere', '-e', 'sandbox')).toMatchObject({ status: 0 });
    expect((await wrp('definition', 'show', 'echo', '-e', 'sandbox')).stderr).toContain('add -e production.');
  });

  test('lists the newest of many revisions', async () => {
    for (let revision = 1; revision <= 22; revision += 1) {
      await apply(platformOf(`r${revision}`, 'Echo: { Type: Succeed }', 'many'));
    }
    const { stderr } = await wrp('definition', 'show', 'many', '--revision', '3');
    expect(stderr).toMatch(
      /^The definition many has no revision 3: the 20 newest are r3, r4, .*, r21, r22\.\n$/,
    );
  });
});

describe('wrp apply --dry-run', () => {
  const lines = async (text: string) => {
    const { status, stdout } = await apply(text, '--dry-run');
    expect(status).toBe(0);
    return stdout.slice(stdout.indexOf('\n\n') + 2).trimEnd();
  };

  test('shows the states of a definition that change, and the values that differ', async () => {
    await apply(platformOf('1', first, 'diff'));
    const changed = platformOf('2', second, 'diff').replace(
      "revision: '2'",
      "revision: '2'\n            defaultLocale: fr",
    );
    expect((await lines(changed)).split('\n')).toEqual([
      'diff (Boats): revision 1 → 2',
      '  ~ Echo /Seconds: 1 → 2',
      '  ~ Echo /Next: "End" → "Stop"',
      '  - End (Succeed)',
      '  + Stop (Succeed)',
      '  ~ /defaultLocale: "en" → "fr"',
    ]);
    const { stdout } = await apply(changed, '--dry-run', '--json');
    expect(JSON.parse(stdout).definitions).toEqual({
      production: [
        {
          workspace: 'Boats',
          name: 'diff',
          from: '1',
          to: '2',
          states: [
            {
              name: 'Echo',
              type: 'Wait',
              change: 'changed',
              differences: [
                { pointer: '/Seconds', from: 1, to: 2 },
                { pointer: '/Next', from: 'End', to: 'Stop' },
              ],
            },
            { name: 'End', type: 'Succeed', change: 'removed', differences: [] },
            { name: 'Stop', type: 'Succeed', change: 'added', differences: [] },
          ],
          differences: [{ pointer: '/defaultLocale', from: 'en', to: 'fr' }],
        },
      ],
    });
  });

  test('shows nothing of a definition that stays, and the states of a new one', async () => {
    await apply(platformOf('1', first, 'same'));
    expect(await lines(platformOf('1', first, 'same'))).toBe('');
    expect(await lines(platformOf('1', first, 'brand new'))).toBe(
      'brand new (Boats): new, revision 1\n  + Echo (Wait)\n  + End (Succeed)',
    );
    expect(await lines(platformOf('1 again', first, 'same'))).toBe('same (Boats): revision 1 → 1 again');
  });

  test('shortens long values to the part that differs, counts what is too much, and prints no escape sequences', async () => {
    const long = (end: string) => `Echo: { Type: Succeed, Output: "${'x'.repeat(500)}${end}" }`;
    await apply(platformOf('1', long('a\\e[2J'), 'long'));
    const shown = (await lines(platformOf('2', long(`${'b'.repeat(300)}`), 'long'))).split('\n');
    expect(shown[1]).toBe(
      `  ~ Echo /Output: …${'x'.repeat(15)}a\\u001b[2J" → …${'x'.repeat(15)}${'b'.repeat(43)}…`,
    );
    const many = Array.from({ length: 40 }, (_, index) => {
      const next = index < 39 ? `Type: Pass, Next: S${index + 1}` : 'Type: Succeed';
      return `S${index}: { ${next} }`;
    });
    const text = platformOf('3', many.join('\n                '), 'long').replace(
      'StartAt: Echo',
      'StartAt: S0',
    );
    const all = (await lines(text)).split('\n');
    expect([all.length, all.at(-1)]).toEqual([32, '  … 12 more']);
  });
});

describe('wrp apply', () => {
  const missing = 'definition: none.json';
  const text = platformOf('1', first, 'all')
    .replace(/definition:\n( {14}.*\n)+/, `${missing}\n`)
    .replace("revision: '1'", 'revision: 1');

  test('reports a missing file together with the other errors', async () => {
    const { status, stderr } = await apply(text);
    expect([status, stderr.trimEnd().split('\n')]).toEqual([
      1,
      [expect.stringContaining('put it in quotes'), expect.stringContaining('cannot be read: none.json')],
    ]);
  });

  test('prints its errors as JSON with --json', async () => {
    const { status, stdout, stderr } = await apply(text, '--json');
    const error = (message: string) => ({
      file: expect.stringMatching(/p\.yaml$/),
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.stringContaining(message),
    });
    expect([status, stderr, JSON.parse(stdout)]).toEqual([
      1,
      '2 errors.\n',
      { errors: [error('put it in quotes'), error('cannot be read: none.json')] },
    ]);
  });
});

describe('wrp definition draw', () => {
  const draw = async (definition: string, ...options: string[]) => {
    const directory = await directoryWith({ 'a.asl.yaml': definition });
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    return runWrp(['definition', 'draw', 'a.asl.yaml', ...options], { directory, env });
  };
  const valid = 'QueryLanguage: JSONata\nStartAt: Done\nStates: { Done: { Type: Succeed } }\n';

  test('draws a file without a database', async () => {
    const { status, stdout } = await draw(valid);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^flowchart TD\n.*Done/s)]);
    const { stdout: json } = await draw(valid, '--json');
    expect(JSON.parse(json)).toEqual({ file: 'a.asl.yaml', diagram: stdout.trimEnd() });
  });

  test('reports the errors of a file', async () => {
    expect(await draw(valid.replace('StartAt: Done', 'StartAt: Dome'))).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^a\.asl\.yaml:2:10 \/StartAt .*Did you mean `Done`\?\n$/),
    });
  });
});

describe('wrp definition check', () => {
  const task = (resource: string, args: string) =>
    `QueryLanguage: JSONata\nStartAt: T\nStates:\n  T: { Type: Task, Resource: 'wrp:${resource}', End: true, Arguments: ${args} }\n`;
  const check = async (definition: string) => {
    const directory = await directoryWith({ 'a.asl.yaml': definition });
    return runWrp(['definition', 'check', 'a.asl.yaml', '--json'], { directory });
  };

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

  test('is what apply checks, too', async () => {
    const states = 'Echo: { Type: Task, Resource: "wrp:mail:send", Arguments: { subjct: a }, End: true }';
    expect(await apply(platformOf('1', states, 'mails'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Did you mean `subject`?'),
    });
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
