import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import { breaksBetween } from '../../scripts/spec/breaking/breaks.ts';
import { normalized } from '../../scripts/spec/breaking/normalized.ts';
import { ownRules } from '../../scripts/spec/breaking/own-rules.ts';
import { openEnums } from '../../scripts/spec/breaking/redocly-diff.ts';
import { lastRelease, release } from '../../scripts/spec/breaking/releases.ts';
import { breaksText } from '../../scripts/spec/breaking/text.ts';
import { type Change, cases, changedBy, contract, sample } from './breaking-cases.ts';

/** Shared by the tests: starting it costs more than a comparison. */
const redocly = openRedocly(new URL('../../', import.meta.url));
afterAll(() => redocly.close());

const released = normalized(contract);
const foundByOwnRules = (change: Change) => ownRules(released, normalized(changedBy(change)));

describe('a change that breaks clients is reported', () => {
  test.each(Object.entries(cases.breaking))('%s', (_, change) => {
    expect(foundByOwnRules(change)).not.toEqual([]);
  });

  // The others: breaking.slow.test.ts.
  test.each(sample)('%s', async (_, change) => {
    expect(await breaksBetween(contract, changedBy(change), redocly)).not.toEqual([]);
  });
});

test.each(Object.entries(cases.harmless))(
  'a change that breaks no client is not reported: %s',
  (_, change) => {
    expect(foundByOwnRules(change)).toEqual([]);
  },
);

test('all changes that break no client are not reported together, either', async () => {
  const changed = changedBy((bundle) => {
    for (const change of Object.values(cases.harmless)) change(bundle);
  });
  expect(await breaksBetween(contract, changed, redocly)).toEqual([]);
});

test('a breaking change is reported with its operation, location and rule', async () => {
  const changed = structuredClone(contract);
  changed.components.headers.RetryAfter.required = false;
  const [first] = await breaksBetween(contract, changed, redocly);
  expect(first).toEqual({
    rule: 'response-header-became-optional',
    where: expect.stringMatching(/^\/\S+ (get|put|post|delete)$/),
    message: 'The header `Retry-After` of 429 may be missing now.',
  });
});

test('another permission of an operation is one change, whatever the security schemes', async () => {
  const changed = changedBy(({ paths }) => {
    for (const requirement of paths['/workflows'].post.security)
      for (const scheme of Object.keys(requirement)) requirement[scheme] = ['can_reset_2fa'];
  });
  expect(await breaksBetween(contract, changed, redocly)).toEqual([
    {
      rule: 'security-requirement-changed',
      where: '/workflows post security',
      message: "It requires further permissions: 'can_reset_2fa'.",
    },
  ]);
});

describe('the text of spec:breaking', () => {
  const at = { rule: 'some-rule', message: 'Lost.', file: 'spec/openapi.yaml', line: 1, column: 1 };
  const last = { version: '3.0.0', contract };

  test.each([
    ['/link post requestBody', '/link post requestBody (createLink)'],
    ['webhooks link.used post', 'webhooks link.used post (onLinkUsed)'],
    ['/link', '/link'],
    ['components schemas User', 'components schemas User'],
  ])('names the operation of %s', (where, shown) => {
    const [, line] = breaksText([{ ...at, where }], last, contract).split('\n');
    expect(line).toBe(`  ${shown}`);
  });

  test('ends with what one can do, unless all changes are accepted', () => {
    const where = '/link post';
    const advice =
      /Add the new beside the old and deprecate .* spec\/accepted-changes\.yaml, .* major version\.$/;
    expect(breaksText([{ ...at, where }], last, contract)).toMatch(advice);
    expect(breaksText([{ ...at, where, accepted: 'Unused.' }], last, contract)).not.toMatch(advice);
    expect(breaksText([], last, contract)).toBe('Nothing breaks a client of 3.0.0.');
  });
});

describe('adding a value to an enumeration', () => {
  const schemas: Record<string, { enum?: string[] }> = contract.components.schemas;
  const named = Object.keys(schemas).filter((name) => schemas[name]?.enum);
  const closed = named.filter((name) => !openEnums.includes(name));
  const growing = (names: readonly string[]) =>
    changedBy(({ components }) => {
      for (const name of names) components.schemas[name].enum.push('something_new');
    });

  test('breaks clients where the versioning guide says that the list is complete', async () => {
    expect(closed).toEqual(expect.arrayContaining(['UserStatus', 'ExecutionStatus']));
    const found = await breaksBetween(contract, growing(closed), redocly);
    expect(found.map(({ rule }) => rule)).toEqual(closed.map(() => 'enum-values-added'));
  });

  test('breaks no client where the versioning guide says that the list may grow', async () => {
    const guide = await readFile('spec/guides/versioning.md', 'utf8');
    const [, list = ''] = /^- Two lists may grow in a minor version: (.*?)\. /m.exec(guide) ?? [];
    expect(list.match(/`\w+`/g)).toEqual(openEnums.map((name) => `\`${name}\``));
    expect(list).toContain('event types');
    expect(await breaksBetween(contract, growing(openEnums), redocly)).toEqual([]);
  });
});

describe('releases', async () => {
  const path = await mkdtemp(join(tmpdir(), 'wrp-releases-'));
  const directory = pathToFileURL(`${path}/`);
  afterAll(() => rm(path, { recursive: true }));
  const withVersion = (version: string) => ({ ...contract, info: { ...contract.info, version } });

  test('a new project has no release', async () => {
    expect(await lastRelease(directory)).toBeUndefined();
  });

  test('the last release has the highest version', async () => {
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
