import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { ownRules } from '../../scripts/breaking/own-rules.ts';
import { lastRelease, release } from '../../scripts/breaking/releases.ts';
import { breaksBetween } from '../../scripts/breaking.ts';
import { type Change, cases } from './breaking-cases.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));

function changedBy(change: Change) {
  const changed = structuredClone(contract);
  change(changed);
  expect(changed, 'the case changes nothing: adapt it to the contract').not.toEqual(contract);
  return changed;
}

describe.concurrent('breaks a client', () => {
  test.each(Object.entries(cases.breaking))('%s', async (_, change) => {
    const changed = changedBy(change);
    // Redocly takes half a second: it is asked where our own rules find nothing.
    const found = ownRules(contract, changed);
    expect(found.length > 0 ? found : await breaksBetween(contract, changed)).not.toEqual([]);
  });
});

test.each(Object.entries(cases.harmless))('breaks nobody: %s', (_, change) => {
  expect(ownRules(contract, changedBy(change))).toEqual([]);
});

test('all harmless changes together break nobody', async () => {
  const changed = changedBy((bundle) => {
    for (const change of Object.values(cases.harmless)) change(bundle);
  });
  expect(await breaksBetween(contract, changed)).toEqual([]);
});

test('names the operation, the place and the rule', async () => {
  const changed = structuredClone(contract);
  changed.components.headers.RetryAfter.required = false;
  const [first] = await breaksBetween(contract, changed);
  expect(first).toEqual({
    rule: 'response-header-became-optional',
    where: expect.stringMatching(/^\/\S+ (get|put|post|delete)$/),
    message: 'The header `Retry-After` of 429 may be missing now.',
  });
});

describe('releases', async () => {
  const path = await mkdtemp(join(tmpdir(), 'wrp-releases-'));
  const directory = pathToFileURL(`${path}/`);
  afterAll(() => rm(path, { recursive: true }));
  const withVersion = (version: string) => ({ ...contract, info: { ...contract.info, version } });

  test('there is none at first', async () => {
    expect(await lastRelease(directory)).toBeUndefined();
  });

  test('the last one is the one with the highest version', async () => {
    for (const version of ['3.2.0', '3.10.0', '3.9.9']) await release(withVersion(version), directory);
    expect((await lastRelease(directory))?.version).toBe('3.10.0');
  });

  test('a version is released once', async () => {
    const changed = { ...withVersion('3.10.0'), tags: [] };
    await expect(release(changed, directory)).rejects.toThrow('3.10.0 is released already');
    await expect(release(withVersion('3.10.0'), directory)).resolves.toBe('3.10.0');
    await expect(release(withVersion('../x'), directory)).rejects.toThrow('not a version');
  });
});
