import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoDefinitions } from '../support/definitions.ts';
import { runWrp } from '../support/wrp.ts';

const directory = join(import.meta.dirname, '../../server/demo/definitions');
const names = readdirSync(directory).flatMap((file) => /^(.*)\.asl\.yaml$/.exec(file)?.[1] ?? []);

describe("the demo's definitions", () => {
  test('are the files beside their tests', async () => {
    expect(Object.keys(await demoDefinitions()).toSorted()).toEqual(names.toSorted());
  });

  test('pass their tests, which reach every state and transition', async () => {
    const files = names.map((name) => `${name}.asl.yaml`);
    const options = ['--json', '--coverage'];
    const { status, stdout, stderr } = await runWrp(['definition', 'test', ...options, ...files], {
      directory,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { files: reports } = JSON.parse(stdout) as {
      files: { file: string; coverage: Record<string, { missing: { name: string }[] }> }[];
    };
    const missing = reports.flatMap(({ file, coverage }) =>
      Object.values(coverage).flatMap((covered) => covered.missing.map(({ name }) => `${file}: ${name}`)),
    );
    expect(missing, 'add a case to the test file in server/demo/definitions').toEqual([]);
    expect(reports).toHaveLength(names.length);
  });
});
