import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnippetVariables } from '../../../support/demo.ts';
import { execute } from '../execute.ts';
import { type Generator, go, shownOptions, writeProgram } from './generator.ts';

const needs = [go];

export const goGenerators: Record<string, Generator> = {
  'oapi-codegen': {
    tools: 'oapi-codegen',
    version: '2.8.2',
    needs,
    install: (directory, version) =>
      installGo(`github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${version}`, directory),
    async use({ directory, tools, contract }, variables) {
      await mkdir(join(directory, 'oapi-codegen/wrp'), { recursive: true });
      const options = await shownOptions('oapi-codegen', 'oapi-codegen', contract);
      await execute(join(tools, 'oapi-codegen'), options, { cwd: directory });
      await runGo('oapi-codegen', join(directory, 'oapi-codegen'), variables, [
        'github.com/oapi-codegen/runtime@v1.9.0',
      ]);
    },
  },
  ogen: {
    tools: 'ogen',
    version: '1.24.0',
    needs,
    install: (directory, version) => installGo(`github.com/ogen-go/ogen/cmd/ogen@v${version}`, directory),
    async use({ directory, tools, contract }, variables) {
      const options = await shownOptions('ogen', 'ogen', contract);
      await execute(join(tools, 'ogen'), options, { cwd: directory });
      await runGo('ogen', join(directory, 'ogen'), variables, ['github.com/ogen-go/ogen@v1.24.0']);
    },
  },
};

async function installGo(command: string, directory: string): Promise<void> {
  await execute('go', ['install', command], { env: { ...process.env, GOBIN: directory }, timeout: 300_000 });
}

/**
 * Compiles the program of a generator with its client, the package `wrp`, and runs it.
 *
 * @param modules what the client imports, with exact versions
 */
export async function runGo(
  name: string,
  directory: string,
  variables: SnippetVariables,
  modules: readonly string[] = [],
): Promise<void> {
  await writeProgram(`${name}.go.txt`, join(directory, 'main.go'));
  await writeFile(join(directory, 'go.mod'), 'module wrp.example/trial\n\ngo 1.24\n');
  const env = { ...process.env, ...variables };
  for (const module of modules)
    await execute('go', ['get', module], { cwd: directory, env, timeout: 120_000 });
  await execute('go', ['mod', 'tidy'], { cwd: directory, env, timeout: 120_000 });
  await execute('go', ['build', '-o', 'trial', '.'], { cwd: directory, env, timeout: 400_000 });
  await execute(join(directory, 'trial'), [], { cwd: directory, env, timeout: 60_000 });
}
