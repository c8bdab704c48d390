import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../server/embedded-postgres/index.ts';
import { isOrganizationToken, secretDigest } from '../../server/src/domain/organization-token.ts';
import { decideAccess } from '../../server/src/store/access.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { type ClonedDatabase, cloneDatabase } from '../support/postgres.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { runWrp, spawnWrp } from '../support/wrp.ts';
import { smallPlatform } from './small-platform.ts';

let cloned: ClonedDatabase;
let directory: string;
let file: string;

beforeAll(async () => {
  cloned = await cloneDatabase();
  directory = await mkdtemp(join(temporaryRoot(), 'wrp-cli-'));
  file = join(directory, 'platform.yaml');
  await writeFile(file, smallPlatform);
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

/** Runs the program outside of the project's directory. */
const run = (args: string[], env?: NodeJS.ProcessEnv, node?: string) =>
  spawnWrp(args, { directory, env, ...(node && { node }) });
const wrp = (...args: string[]) =>
  runWrp(args, { directory, env: { DATABASE_URL: cloned.connectionString } });

/** Creates a token or a key for the workspace of the small platform. */
const create = (kind: 'token' | 'key', user: string, name: string, ...more: string[]) =>
  wrp(kind, 'create', '--user', user, '--workspace', 'Boats', '--name', name, ...more);

/** Whether a token of production is accepted. */
async function accepted(token: string): Promise<boolean> {
  const database = openDatabase({ connection: cloned.connectionString, schema: 'production', poolSize: 1 });
  const credential = { scheme: 'organizationToken', sha256: secretDigest(token) } as const;
  const access = await decideAccess(database, credential, { name: 'none' }, null);
  await database.destroy();
  return access.kind === 'granted';
}

describe('wrp', () => {
  test('shows its version and its help, with examples', async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const ofTokens = ['token', 'token create', 'token list', 'token revoke', 'key create'];
    const commands = ['', 'apply', ...ofTokens, 'blobs sweep', 'blobs adopt'];
    const helps = await Promise.all(
      commands.map((command) => wrp(...command.split(' ').filter(Boolean), '--help')),
    );
    for (const [index, { status, stdout }] of helps.entries()) {
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: ${`wrp ${commands[index]}`.trim()}`);
      expect(stdout).toMatch(/Examples?:\n {2}\$ wrp /);
      expect(stdout).toContain('--data-dir <directory>');
    }
  });

  test.each([
    ['no command', []],
    ['an unknown command', ['paint']],
    ['an unknown option', ['token', 'list', '--loud']],
    ['a missing option', ['token', 'create', '--user', 'ada@lake.example']],
    ['an unknown environment', ['token', 'list', '--environment', 'moon']],
  ])('exits with 2 on wrong usage: %s', async (_what, args) => {
    const { status, stdout, stderr } = await wrp(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  test.each([
    [['definition', 'apply', 'p.yaml'], /\nThe command is: wrp apply\n$/],
    [['token', 'usage'], /\nThe command is: wrp usage\n$/],
    [['definition', 'paint'], /^error: unknown command 'paint'\n\(add --help for usage\)\n$/],
  ])('names the command that was meant: %j', async (args, line) => {
    expect(await wrp(...args)).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(line) });
  });

  test.each<[string, string[], RegExp]>([
    ['a missing file', ['apply', 'none.yaml'], /^none\.yaml: cannot be read: no such file or directory\.\n$/],
    [
      'an unknown user',
      ['token', 'create', '--user', 'eve@lake.example', '--workspace', 'Boats', '--name', 'x'],
      /^There is no user eve@lake\.example in production\.\n$/,
    ],
    [
      'a database that is away',
      ['token', 'list', '--database-url', 'postgres://wrp:hush@127.0.0.1:1/wrp'],
      /^The database 127\.0\.0\.1:1\/wrp cannot be reached: (?!.*hush).*\n$/,
    ],
    [
      'a data directory without a platform',
      ['token', 'list', '--database-url', '', '--data-dir', 'none'],
      /^There is no platform in .*none: start the platform once, or set --data-dir to its data directory, or DATABASE_URL to its database\.\n$/,
    ],
  ])('reports a failure in one line and exits with 1: %s', async (_what, args, line) => {
    const { status, stdout, stderr } = await wrp(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(line);
  });

  const machinesNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
  test.skipIf(!machinesNode)('runs on the project’s own Node if the machine’s is too old', async () => {
    expect((await run(['--version'], {}, machinesNode)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run(['paint'], {}, machinesNode)).status).toBe(2);
  });
});

describe('wrp apply', () => {
  test('shows a dry run, applies, and changes nothing the second time', async () => {
    const dry = await wrp('apply', 'platform.yaml', '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      environments: { production: { users: { created: 2 } } },
    });
    const first = await wrp('apply', file);
    expect(first).toMatchObject({ status: 0, stderr: 'Applied platform.yaml.\n' });
    expect(first.stdout).toMatch(/^PRODUCTION +CREATED +UPDATED +REMOVED +UNCHANGED$/m);
    expect(first.stdout).toMatch(/^users +2 +0 +0 +0$/m);
    expect((await wrp('apply', file)).stdout).toMatch(/^users +0 +0 +0 +2$/m);
  });

  test('reports every error of a file with its line', async () => {
    const broken = join(directory, 'broken.yaml');
    await writeFile(broken, smallPlatform.replace('role: owner', 'role: king').replace('LIVE', 'LIFE'));
    const { status, stderr } = await wrp('apply', 'broken.yaml');
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^broken\.yaml:5:\d+ environments\.production\.users\[0\]\.role must be one of/),
      expect.stringMatching(
        /^broken\.yaml:9:15 environments\.production\.workspaces\[0\]\.type must be one of/,
      ),
    ]);
  });

  test('applies no environment if one has a reference to what does not exist, and reports it with --json', async () => {
    const of = (name: string) =>
      smallPlatform.replace('production:', `${name}:`).replace('Daughters', 'Sons');
    const [, ...sandbox] = of('sandbox')
      .replace('record: Hull 1', 'record: Hull 9')
      .replace('LIVE', 'SANDBOX')
      .split('\n');
    await writeFile(join(directory, 'both.yaml'), [of('production').trimEnd(), ...sandbox].join('\n'));
    const { status, stdout, stderr } = await wrp('apply', 'both.yaml', '--json');
    expect([status, stderr, JSON.parse(stdout)]).toEqual([
      1,
      '1 error.\n',
      { errors: [expect.objectContaining({ message: expect.stringMatching(/is not a record.*: Hull 9$/) })] },
    ]);
    const dry = await wrp('apply', 'both.yaml', '--dry-run', '--json', '-e', 'production');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      environments: { production: { organization: { created: 1 } } },
    });
  });

  test('reports a file that declares nothing for the environment', async () => {
    const { status, stderr } = await wrp('apply', file, '--environment', 'sandbox');
    expect([status, stderr]).toEqual([1, `${file} declares nothing for sandbox.\n`]);
  });
});

describe('wrp token', () => {
  test('creates a token and prints it once; lists it without its secret; revokes it', async () => {
    await wrp('apply', file);
    const made = await create('token', 'BEN@lake.example', 'nightly');
    const token = made.stdout.trimEnd();
    expect(isOrganizationToken(token)).toBe(true);
    expect(made.stderr).toContain('it is not shown again');
    expect(await accepted(token)).toBe(true);

    const listed = await wrp('token', 'list', '--user', 'ben@lake.example', '--json');
    expect(listed.stdout).not.toContain(token);
    const [entry] = JSON.parse(listed.stdout);
    expect(entry).toMatchObject({
      name: 'nightly',
      user: { email: 'ben@lake.example' },
      revokedDateTime: null,
    });

    expect((await wrp('token', 'revoke', entry.id)).stderr).toBe('The organization token is revoked.\n');
    expect(await accepted(token)).toBe(false);
    expect((await wrp('token', 'revoke', token)).stderr).toBe(
      'The organization token was already revoked.\n',
    );
    expect((await wrp('token', 'list')).stdout).not.toContain(entry.id);
    expect((await wrp('token', 'list', '--all')).stdout).toContain(entry.id);
  });

  test('a token of one environment is unknown in the other', async () => {
    const { status, stderr } = await create('token', 'ben@lake.example', 'x', '-e', 'sandbox');
    expect([status, stderr]).toEqual([
      1,
      'There is no user ben@lake.example in sandbox. It is in production: add -e production.\n',
    ]);
  });
});

describe('wrp key', () => {
  test('creates a key and prints its secret; lists it without the secret; revokes it by its public half', async () => {
    await wrp('apply', file);
    const made = await create('key', 'ada@lake.example', 'portal', '--json');
    const { key, secret } = JSON.parse(made.stdout);
    const listed = await wrp('key', 'list');
    expect(listed.stdout).toContain(key);
    expect(listed.stdout).not.toContain(secret);
    expect((await wrp('key', 'revoke', key)).status).toBe(0);
    expect((await wrp('key', 'revoke', 'wrpk_none')).status).toBe(1);
  });
});

describe('with the embedded database', () => {
  test('starts a server for the command, or uses that of a running platform', async () => {
    const data = join(directory, 'data');
    const env = { DATA_DIR: data };
    const applied = await run(['apply', file], env);
    expect(applied.status, applied.stderr).toBe(0);
    const alone = await run(
      ['token', 'create', '--user', 'ada@lake.example', '--workspace', 'Boats', '--name', 'alone'],
      env,
    );
    expect(alone.status, alone.stderr).toBe(0);
    const platform: PostgresServer = await startPostgres({ dataDirectory: data, fsync: false });
    try {
      const beside = await run(['token', 'list', '--json'], env);
      expect(JSON.parse(beside.stdout)).toMatchObject([{ name: 'alone' }]);
    } finally {
      await platform.stop();
    }
  });
});
