import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDurably, ifExists, reasonOf, replaceDurably } from '../../server/durable-files/index.ts';

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'durable-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

test('createDurably lets one of several concurrent callers win, and leaves only the file', async () => {
  const directory = await emptyDirectory();
  const path = join(directory, 'id');
  await Promise.all(['one', 'two', 'three'].map((content) => createDurably(path, content)));
  const written = await readFile(path, 'utf8');
  expect(['one', 'two', 'three']).toContain(written);
  await createDurably(path, 'later');
  expect(await readFile(path, 'utf8')).toBe(written);
  expect(await readdir(directory)).toEqual(['id']);
});

test('replaceDurably creates or replaces a file that only its owner can read', async () => {
  const directory = await emptyDirectory();
  const path = join(directory, 'key');
  for (const content of ['first', Buffer.from('second')]) await replaceDurably(path, content);
  expect(await readFile(path, 'utf8')).toBe('second');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(['key']);
});

test('a file in a missing directory is refused, with a reason for the operator', async () => {
  const path = join(await emptyDirectory(), 'missing', 'id');
  const error = await createDurably(path, 'x').catch((reason: unknown) => reason);
  expect(reasonOf(error)).toBe('no such file or directory');
});

test('ifExists is undefined for a missing file, and throws any other error', async () => {
  const directory = await emptyDirectory();
  expect(await ifExists(readFile(join(directory, 'missing')))).toBeUndefined();
  await expect(ifExists(readFile(directory))).rejects.toThrow('EISDIR');
});
