import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import overlay from '../../generated/samples.overlay.json' with { type: 'json' };
import { applyOverlay } from '../../scripts/contract/overlay.ts';
import type { Contract } from '../../scripts/contract/source.ts';
import { samplesOverlay } from '../../scripts/generate/samples/overlay.ts';
import { readSamples, regionsOf, typeScriptSamples } from '../../scripts/generate/samples/read.ts';
import { routesOf } from '../../server/contract/index.ts';

const samples = await readSamples(import.meta.dirname);
const theContract = contract as unknown as Contract;
const operationIds = routesOf(theContract).map(({ operation }) => operation.operationId);

describe('the overlay of samples', () => {
  test('is applied to the portal', async () => {
    const file = join(import.meta.dirname, '../../generated/samples.overlay.json');
    const message = 'run `npm run generate` and commit the result';
    expect(JSON.parse(await readFile(file, 'utf8')), message).toEqual(samplesOverlay(theContract, samples));
  });

  test('has cURL and TypeScript for each operation, and the tests run each of them', async () => {
    expect(Object.keys(samples.shell).sort()).toEqual([...operationIds].sort());
    expect(Object.keys(samples.typeScript).sort()).toEqual([...operationIds].sort());
    const resources = new Set(
      routesOf(theContract).map(({ operation }) => (operation as { tags?: string[] }).tags?.[0]),
    );
    const sources = await Promise.all(
      [...resources].map((name) => readFile(join(import.meta.dirname, `${name}.ts`), 'utf8')),
    );
    for (const operationId of operationIds) {
      expect(sources.join(''), `no test runs the cURL sample of ${operationId}`).toContain(
        `run('${operationId}')`,
      );
    }
  });

  test('can be applied to the contract', () => {
    const applied = applyOverlay(theContract, samplesOverlay(theContract, samples));
    const labels = routesOf(applied).map(({ operation }) =>
      (operation as { 'x-codeSamples'?: { label: string }[] })['x-codeSamples']?.map(({ label }) => label),
    );
    expect(labels).toEqual(operationIds.map(() => ['cURL', 'TypeScript', 'Python', 'Go']));
  });

  test('contains nothing of the tests', () => {
    const shown = Object.values({ ...samples.typeScript }).join('\n');
    expect(shown).not.toMatch(/\b(expect|describe|vitest)\b|\b(owner|demo|given)[.(]/);
  });

  test.each([
    [
      'lacks a sample',
      ({ shell: { getUser: _, ...shell }, typeScript }: typeof samples) => ({ shell, typeScript }),
      'fix test/samples/: getUser has no sample in cURL.',
    ],
    [
      'has one of no operation',
      ({ shell, typeScript }: typeof samples) => ({ shell, typeScript: { ...typeScript, getUsr: '' } }),
      'fix test/samples/: getUsr is not an operation.',
    ],
  ])('is refused if it %s', (_how, change, message) => {
    expect(() => samplesOverlay(theContract, change(samples))).toThrow(message);
  });
});

describe('a sample', () => {
  test('starts with its imports and the client', () => {
    const source = `import { readFile } from 'node:fs/promises';
import { createClient, eachUser, unwrap } from '@wrp/client';
import { test } from 'vitest';
  //#region client
  const client = createClient({});
  //#endregion
    //#region getUser
    const user = await unwrap(client.GET('/x'));
    //#endregion
`;
    expect(typeScriptSamples(source)).toEqual({
      getUser: `import { createClient, unwrap } from '@wrp/client';

const client = createClient({});

const user = await unwrap(client.GET('/x'));`,
    });
  });

  test.each([
    ['#region a\nx\n#region b\ny\n#endregion\n', 'The region "a" has no end.'],
    ['#region a\nx\n#endregion\n#region a\ny\n#endregion\n', 'There are two regions "a".'],
  ])('is refused if its markers are not in order: %j', (source, message) => {
    expect(() => regionsOf(source)).toThrow(message);
  });

  test('in TypeScript prints or saves what it returns', () => {
    const silent = overlay.actions.flatMap(({ target, update }) => {
      const { source } = update['x-codeSamples'].find(({ lang }) => lang === 'TypeScript') ?? { source: '' };
      return /^const /m.test(source.replace(/^const (client|\w+Id) = .*$/gm, '')) &&
        !/console\.log|saveTo/.test(source)
        ? [target]
        : [];
    });
    expect(silent).toEqual([]);
  });
});
