import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
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
      pausedDateTime: null,
      pausedReason: null,
      archivedDateTime: null,
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

describe('wrp apply', () => {
  const call =
    "{ Type: Task, Resource: 'wrp:http:call', Arguments: { url: 'https://endpoint.invalid/a' }, End: true }";
  const files = {
    'p.yaml': platformOf('1', `Echo: ${call}`, 'within').replace(
      '          - name: within',
      "          - { name: apart, revision: '1', definition: ./apart.asl.yaml }\n          - name: within",
    ),
    'apart.asl.yaml': `QueryLanguage: JSONata
StartAt: Ask
States:
  Ask: { Type: Task, Resource: 'wrp:callback:wait', Arguments: {}, Next: Call }
  Call: { Type: Task, Resource: 'wrp:http:call', End: true }
`,
  };
  const warned: [file: RegExp, line: number, message: RegExp][] = [
    [/p\.yaml$/, 0, /definition\.States\.Echo\.Arguments\.url .*never do: endpoint\.invalid$/],
    [/apart\.asl\.yaml$/, 4, /^\/States\/Ask\/Arguments .*nobody receives the callback URL/],
    [/apart\.asl\.yaml$/, 5, /^\/States\/Call .*Arguments is missing/],
  ];

  test.each([[], ['--dry-run'], ['--environment', 'production']])(
    'prints what check warns of, and succeeds: %s',
    async (...options) => {
      const directory = await directoryWith(files);
      const run = (...more: string[]) => wrp('apply', join(directory, 'p.yaml'), ...options, ...more);
      const { status, stderr } = await run();
      const lines = stderr.trimEnd().split('\n');
      expect([status, lines.length]).toEqual([0, warned.length + 1]);
      for (const [index, [file, line, message]] of warned.entries()) {
        const [, name, at, text] = /^(.*?):(\d+):\d+ (.*)$/.exec(lines[index] ?? '') ?? [];
        expect([name, text]).toEqual([
          expect.stringMatching(file),
          expect.stringMatching(new RegExp(message.source.replace(' ', ' warning: '))),
        ]);
        if (line > 0) expect(at).toBe(String(line));
      }
      const json = await run('--json');
      expect([json.status, json.stderr, JSON.parse(json.stdout).warnings]).toEqual([
        0,
        '',
        warned.map(([file, line, message]) => ({
          file: expect.stringMatching(file),
          line: line || expect.any(Number),
          column: expect.any(Number),
          message: expect.stringMatching(message),
        })),
      ]);
    },
  );

  const paths: [directory: string, platform: string, definition: string, printed: string][] = [
    ['.', 'p.yaml', './x/a.asl.json', 'x/a.asl.json'],
    ['.', 'p.yaml', '/x/a.asl.json', 'x/a.asl.json'],
    ['.', 'x/p.yaml', '/x/a.asl.json', 'x/a.asl.json'],
    ['.', 'x/p.yaml', '/y/a.asl.json', 'y/a.asl.json'],
    ['.', '/p.yaml', '/x/a.asl.json', '/x/a.asl.json'],
    ['x', 'p.yaml', '/y/a.asl.json', '/y/a.asl.json'],
    ['x', '../p.yaml', '/x/a.asl.json', '/x/a.asl.json'],
    ['x', '../p.yaml', 'y/a.asl.json', '../y/a.asl.json'],
  ];
  // A path that begins with a slash stands for one in the test's directory.
  test.each(paths)('in %s, %s with the definition %s prints errors as check does: of %s', async (...row) => {
    const root = await directoryWith({});
    const [directory, platform, definition, printed] = row.map((path) => path.replace(/^\//, `${root}/`));
    for (const each of ['x', 'y']) await mkdir(join(root, each));
    const declared = `{ name: apart, revision: '1', definition: ${definition} }\n          - name: within`;
    const from = resolve(root, directory as string);
    await writeFile(
      resolve(from, platform as string),
      platformOf('1', first, 'within').replace('name: within', declared),
    );
    const document = { QueryLanguage: 'JSONata', StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } };
    await writeFile(resolve(from, printed as string), JSON.stringify(document));
    const run = (...args: string[]) =>
      runWrp(args, { directory: from, env: { DATABASE_URL: connectionString } });
    const { status, stderr } = await run('apply', platform as string, '--dry-run');
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^\S+:1:\d+ \/States\/A\/Next /)]);
    expect(stderr).toBe((await run('definition', 'check', printed as string)).stderr);
  });

  test('prints no warnings of a definition that has none', async () => {
    const { stderr } = await apply(platformOf('1', first, 'sound'), '--dry-run');
    expect(stderr).toBe('Dry run: nothing was changed.\n');
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

  test('checks the arguments of tasks as wrp definition check does', async () => {
    const states = 'Echo: { Type: Task, Resource: "wrp:mail:send", Arguments: { subjct: a }, End: true }';
    expect(await apply(platformOf('1', states, 'mails'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Did you mean ‘subject’?'),
    });
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

  test.each([
    ['none.yaml', 'There is no file none.yaml. There is no definition none.yaml in production.'],
    ['none', 'There is no definition none in production.'],
  ])('reports %s, which is neither a file nor a definition', async (name, line) => {
    expect(await wrp('definition', 'draw', name)).toEqual({ status: 1, stdout: '', stderr: `${line}\n` });
  });

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
      stderr: expect.stringMatching(/^a\.asl\.yaml:2:10 \/StartAt .*Did you mean ‘Done’\?\n$/),
    });
  });
});

describe('wrp definition pause and resume', () => {
  test('say what they did; list shows the pause with its reason', async () => {
    await apply(platformOf('3', first, 'paused'));
    const listed = async () =>
      (await wrp('definition', 'list')).stdout.split('\n').find((line) => / paused /.test(line));
    const said = async (...args: string[]) => (await wrp('definition', ...args)).stderr.trim();
    expect(await listed()).toMatch(/active$/);
    expect(await said('pause', 'paused', '--reason', 'down until\u001b 14:00')).toBe(
      'The definition is paused.',
    );
    expect(await said('pause', 'paused')).toBe('The definition was already paused.');
    expect(await listed()).toMatch(/paused \d{4}-\d{2}-\d{2} \d{2}:\d{2}: down until\ufffd 14:00$/);
    const { stdout } = await wrp('definition', 'resume', 'paused', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'resumed' });
    expect(await said('resume', 'paused')).toBe('The definition was not paused.');
    expect(await listed()).toMatch(/active$/);
  });

  test('refuse an unknown definition and a reason that is too long', async () => {
    expect(await wrp('definition', 'pause', 'unknown')).toMatchObject({ status: 1 });
    expect(await wrp('definition', 'pause', 'paused', '--reason', 'x'.repeat(201))).toMatchObject({
      status: 2,
    });
  });

  test('a new revision leaves the pause', async () => {
    await wrp('definition', 'pause', 'paused');
    await apply(platformOf('4', second, 'paused'));
    const { stdout } = await wrp('definition', 'list', '--json');
    const definitions: { name: string }[] = JSON.parse(stdout);
    expect(definitions.find(({ name }) => name === 'paused')).toMatchObject({
      revision: '4',
      pausedDateTime: expect.any(String),
      pausedReason: null,
    });
  });
});
