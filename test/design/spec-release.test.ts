import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { releaseErrors } from '../../scripts/check/releases.ts';
import { openRedocly } from '../../scripts/contract/redocly/redocly.ts';
import type { Contract } from '../../scripts/contract/source.ts';
import { release } from '../../scripts/spec/breaking/releases.ts';
import { type Differences, differences } from '../../scripts/spec/diff/changes.ts';
import { setVersion } from '../../scripts/spec/release/manifests.ts';
import { planRelease } from '../../scripts/spec/release/plan.ts';
import { bundle } from '../support/contract.ts';

const released = { ...bundle, info: { ...bundle.info, version: '3.0.0' } } as Contract;
const last = { version: '3.0.0', contract: released };
const breaking = (found: Differences): Differences => ({
  ...found,
  breaks: [{ rule: 'path-removed', where: '/link post', message: 'Gone.' }],
});
const [reworded, extended] = [withOtherWords(), withNickname()];
const unchanged = { changes: [], breaks: [] };
const redocly = openRedocly(new URL('../../', import.meta.url));
const words = await differences(released, reworded, redocly);
const addition = await differences(released, extended, redocly);
redocly.close();

describe('the next release', () => {
  test('is a patch if only texts changed', () => {
    const plan = planRelease(last, reworded, words);
    expect(plan).toMatchObject({ version: '3.0.1', level: 'patch' });
  });

  test('is a minor version if something was added, and its changelog entry names it', () => {
    const { version, level, entry } = planRelease(last, extended, addition);
    expect([version, level]).toEqual(['3.1.0', 'minor']);
    expect(entry).toMatch(/^## 3\.1\.0\n/);
    expect(entry).toContain('`Profile`');
    expect(entry).toContain('nickname');
  });

  test('has notes that ask for a summary, and say what to do as far as it is known', () => {
    const { notes } = planRelease(last, extended, addition);
    expect(notes).toMatch(/^<!-- Summary: .*-->\n\n### What to do\n\nNothing: .* 3\.0\.0 keep working\.\n$/s);
    const broken = planRelease(last, extended, breaking(addition), 'major', 'Everything is new.');
    expect(broken.notes).toBe('Everything is new.\n\n### What to do\n\n- `/link post`: Gone.\n');
  });

  test('is a major version if something breaks clients', () => {
    expect(planRelease(last, extended, breaking(addition))).toMatchObject({
      version: '4.0.0',
      level: 'major',
    });
  });

  test('may raise the version more than needed, never less', () => {
    expect(planRelease(last, reworded, words, 'minor').version).toBe('3.1.0');
    expect(() => planRelease(last, extended, addition, 'patch')).toThrow('a minor release, not a patch one');
    expect(() => planRelease(last, extended, breaking(addition), 'minor')).toThrow(
      'a major release, not a minor one',
    );
  });

  test('passes the check with a date and a summary', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'releases-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const releases = pathToFileURL(`${directory}/`);
    const { notes } = planRelease(last, extended, addition);
    await release(released, releases);
    await writeFile(join(directory, '3.0.0.md'), notes);
    expect(await releaseErrors(releases)).toEqual([
      expect.stringMatching(/^spec\/releases\/3\.0\.0\.md has no summary: /),
    ]);
    await writeFile(join(directory, '3.0.0.md'), notes.replace('<!--', 'Profiles have a nickname.\n\n<!--'));
    expect(await releaseErrors(releases)).toEqual([]);
    await writeFile(join(directory, 'dates.json'), '{}');
    expect(await releaseErrors(releases)).toEqual(['spec/releases/dates.json has no date of 3.0.0.']);
  });

  test('needs a change', () => {
    expect(() => planRelease(last, released, unchanged, 'minor')).toThrow('nothing has changed since 3.0.0');
  });

  test('gives the contract, every package, the lock and the texts that name a package its version', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'spec-release-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const { workspaces, version } = JSON.parse(await readFile('package.json', 'utf8'));
    const manifests = ['package.json', ...workspaces.map((name: string) => `${name}/package.json`)];
    for (const file of [...manifests, 'package-lock.json', 'spec', 'client/README.md', 'scripts/mock'])
      await cp(file, join(directory, file), { recursive: true });
    const written = await setVersion(pathToFileURL(`${directory}/`), '99.0.0');
    const texts = ['spec/guides/quick-start.md', 'client/README.md', 'scripts/mock/package/README.md'];
    expect(written).toEqual(
      expect.arrayContaining([...manifests, 'package-lock.json', 'spec/openapi.yaml', ...texts]),
    );
    for (const file of written) {
      const [before, after] = await Promise.all(
        [file, join(directory, file)].map(async (path) => (await readFile(path, 'utf8')).split('\n')),
      );
      const changed = (after ?? []).filter((line, index) => line !== before?.[index]);
      if (file === 'package-lock.json') expect(changed.length).toBe(workspaces.length + 2);
      else if (!/\.md$/.test(file)) expect(changed.length, file).toBe(1);
      for (const line of changed)
        expect(line, file).toMatch(/(version"?: "?|wrp-(client|mock|mock-stateful)[-/])99\.0\.0/);
      for (const line of after ?? []) expect(line, file).not.toMatch(new RegExp(`wrp-\\w+[-/]${version}`));
    }
  });
});

function withOtherWords(): Contract {
  const changed = structuredClone(released);
  (changed.components['schemas']?.['Profile'] as { description: string }).description = 'In other words.';
  const codes = changed.components['schemas']?.['ErrorCode'] as { 'x-enumDescriptions': object };
  Object.assign(codes['x-enumDescriptions'], { last_owner: 'In other words.' });
  (changed['tags'] as unknown[]).reverse();
  return changed;
}

function withNickname(): Contract {
  const changed = structuredClone(released);
  const profile = changed.components['schemas']?.['Profile'] as { properties: Record<string, object> };
  profile.properties['nickname'] = { type: 'string' };
  return changed;
}
