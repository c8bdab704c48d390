import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnippetVariables } from '../../../support/demo.ts';
import { execute, install } from '../execute.ts';
import { type Generator, type Paths, root, shownOptions, writeProgram } from './generator.ts';

export const typescriptGenerators: Record<string, Generator> = {
  'hey-api': {
    tools: 'hey-api',
    version: '0.99.0',
    needs: [],
    // It uses the compiler's JavaScript API, which TypeScript 7 does not have.
    install: (directory, version) =>
      install([`@hey-api/openapi-ts@${version}`, 'typescript@5.9.3'], directory),
    async use({ directory, tools, contract }, variables) {
      const options = await shownOptions('hey-api', 'openapi-ts', contract);
      await execute(join(tools, 'node_modules/.bin/openapi-ts'), options, { cwd: directory });
      await runTypeScript('hey-api', join(directory, 'hey-api'), variables);
    },
  },
  orval: {
    tools: 'orval',
    version: '8.38.0',
    needs: [],
    install: (directory, version) => install([`orval@${version}`], directory),
    async use({ directory, tools, contract }, variables) {
      const output = { target: './orval/wrp.ts', client: 'fetch', baseUrl: variables['WRP_BASE_URL'] };
      const config = `module.exports = ${JSON.stringify({ wrp: { input: contract, output } })};`;
      await writeFile(join(directory, 'orval.config.cjs'), config);
      const options = ['--config', 'orval.config.cjs'];
      await execute(join(tools, 'node_modules/.bin/orval'), options, { cwd: directory });
      await runTypeScript('orval', join(directory, 'orval'), variables);
    },
  },
  'openapi-typescript': {
    tools: 'openapi-typescript',
    version: '7.13.0',
    needs: [],
    install: (directory, version) =>
      install([`openapi-typescript@${version}`, 'openapi-fetch@0.17.0', 'typescript@5.9.3'], directory),
    async use({ directory, tools, contract }, variables) {
      const options = await shownOptions('openapi-typescript', 'openapi-typescript', contract);
      await execute(join(tools, 'node_modules/.bin/openapi-typescript'), options, { cwd: directory });
      await symlink(join(tools, 'node_modules'), join(directory, 'node_modules'));
      await runTypeScript('openapi-typescript', join(directory, 'openapi-typescript'), variables);
    },
  },
};

/** Compiles the program of a generator with its client, and runs it. */
export async function runTypeScript(
  name: string,
  directory: Paths['directory'],
  variables: SnippetVariables,
): Promise<void> {
  const program = `${name}-program`;
  await writeProgram(`${name}.ts.txt`, join(directory, `${program}.ts`));
  await copyFile(join(import.meta.dirname, 'journey.ts.txt'), join(directory, 'journey.ts'));
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'commonjs',
    moduleResolution: 'node10',
    esModuleInterop: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    skipLibCheck: true,
    outDir: 'built',
  };
  const files = [`${program}.ts`];
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await writeFile(join(directory, 'package.json'), '{}\n');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await execute(process.execPath, [tsc, '-p', '.'], { cwd: directory });
  const env = { ...process.env, ...variables };
  await execute(process.execPath, [`built/${program}.js`], { cwd: directory, env, timeout: 60_000 });
}
