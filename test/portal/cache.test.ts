import { chmod, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findBuilt } from '../../scripts/prepare/built-portal.ts';

const digest = '0123456789abcdef';
let temporary: string;
let place: string;

beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'wrp-cache-'));
  place = join(temporary, `wrp-portal-${process.getuid?.() ?? 0}`);
  await mkdir(join(place, `portal-${digest}`), { recursive: true });
  vi.stubEnv('TMPDIR', temporary);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(temporary, { recursive: true });
});

test('a portal in the temporary directory is used only if no other user can write there', async () => {
  await chmod(place, 0o700);
  expect(await findBuilt(digest)).toBe(join(place, `portal-${digest}`));
  await chmod(place, 0o777);
  expect(await findBuilt(digest)).toBeUndefined();
});

test('a symbolic link is not followed', async () => {
  await chmod(place, 0o700);
  await rename(place, join(temporary, 'elsewhere'));
  await symlink(join(temporary, 'elsewhere'), place);
  expect(await findBuilt(digest)).toBeUndefined();
});
