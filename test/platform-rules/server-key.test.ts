import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, environmentNames } from '../../server/src/config.ts';
import {
  adoptServerKey,
  bindServerKey,
  deriveKey,
  openServerKey,
  type ServerKey,
  serverKeyOf,
} from '../../server/src/security/server-key.ts';
import { givenDirectory } from '../files/support.ts';
import { emptyDatabase } from '../support/postgres.ts';

test('the platform creates the server key once, readable by its owner only, and reuses it', async () => {
  const directory = join(await givenDirectory(), 'data');
  const [first, atOnce] = await Promise.all([
    openServerKey({ dataDirectory: directory }),
    openServerKey({ dataDirectory: directory }),
  ]);
  expect(first.accepted.map(({ length }) => length)).toEqual([32]);
  expect(atOnce).toEqual(first);
  expect(await openServerKey({ dataDirectory: directory })).toEqual(first);
  expect(await readdir(directory)).toEqual(['server.key']);
  expect((await stat(join(directory, 'server.key'))).mode & 0o777).toBe(0o600);
});

test.each([
  ['is empty', ''],
  ['holds a newline only', '\n'],
  ['is cut off', `${randomBytes(31).toString('base64url')}\n`],
  ['is full of zeros, as after a power loss', '\0'.repeat(44)],
])('the platform refuses a key file that %s with one line, and leaves it unchanged', async (_what, text) => {
  const directory = await givenDirectory();
  const file = join(directory, 'server.key');
  await writeFile(file, text);
  const opening = openServerKey({ dataDirectory: directory });
  await expect(opening).rejects.toThrow(ConfigError);
  await expect(opening).rejects.toThrow(/^\S+server\.key holds no whole key\. .+$/);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('the platform reports in one line that a key file cannot be read or created', async () => {
  const directory = await givenDirectory();
  const file = join(directory, 'file');
  await writeFile(file, 'x');
  for (const serverKeyFile of [directory, join(file, 'key')]) {
    const opening = openServerKey({ dataDirectory: directory, serverKeyFile });
    await expect(opening).rejects.toThrow(ConfigError);
    await expect(opening).rejects.toThrow(/^The server key \S+ cannot be read: [a-z ]+\.$/);
  }
  // A symbolic link without a target can be neither read nor created.
  const dangling = join(directory, 'data');
  await symlink(join(directory, 'nowhere'), dangling);
  const creating = openServerKey({ dataDirectory: dangling });
  await expect(creating).rejects.toThrow(ConfigError);
  await expect(creating).rejects.toThrow(/^The server key \S+ cannot be created: [a-z ]+\.$/);
});

test('each environment and purpose gets its own key, derived from the server key', () => {
  const serverKey = serverKeyOf(randomBytes(32));
  const keys = environmentNames.flatMap((environment) =>
    (['bearer-tokens', 'signed-links', 'links', 'webhook-keys', 'callbacks'] as const).map((purpose) =>
      deriveKey(serverKey, environment, purpose).current.export().toString('hex'),
    ),
  );
  expect(new Set(keys).size).toBe(10);
});

test('a database is bound to its first key, until it adopts another one', async () => {
  const database = await emptyDatabase();
  const [first, second] = [serverKeyOf(randomBytes(32)), serverKeyOf(randomBytes(32))];
  const bind = (key: ServerKey) => bindServerKey(database, 'production', key);
  await bind(first);
  await expect(bind(second)).rejects.toThrow(/^The server key is not/);
  expect(await adoptServerKey(database, first)).toBe('was_bound');
  expect(await adoptServerKey(database, second)).toBe('adopted');
  await bind(second);
  await expect(bind(first)).rejects.toThrow(/^The server key is not/);
});
