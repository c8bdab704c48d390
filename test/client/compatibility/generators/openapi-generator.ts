import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { SnippetVariables } from '../../../support/demo.ts';
import { execute } from '../execute.ts';
import {
  type Generator,
  go,
  installPython,
  java,
  maven,
  type Paths,
  python,
  type Requirement,
  shownOptions,
  writeProgram,
} from './generator.ts';
import { runGo } from './go.ts';
import { runTypeScript } from './typescript.ts';

/** What the generated Python client imports, with exact versions. */
const pythonPackages = [
  'urllib3==2.8.0',
  'python-dateutil==2.9.0.post0',
  'pydantic==2.12.5',
  'typing-extensions==4.16.0',
];

type Use = (paths: Paths, variables: SnippetVariables) => Promise<void>;

function openapiGenerator(language: string, needs: Requirement[], use: Use): Generator {
  return {
    version: '7.26.0',
    tools: 'openapi-generator',
    needs: [python, java, ...needs],
    // Its package for Python is the jar with a command.
    install: (tools, version) =>
      installPython([`openapi-generator-cli==${version}`, ...pythonPackages], tools),
    async use(paths, variables) {
      const { tools, contract } = paths;
      const row = `OpenAPI Generator${language === 'TypeScript' ? '](' : `: ${language}`}`;
      const options = await shownOptions(row, 'openapi-generator-cli', contract);
      await execute(join(tools, 'bin/openapi-generator-cli'), options, {
        cwd: paths.directory,
        maxBuffer: 16 << 20,
      });
      const client = join(paths.directory, `openapi-generator-${language.toLowerCase()}`);
      await use({ ...paths, directory: client }, variables);
    },
  };
}

export const openapiGenerators: Record<string, Generator> = {
  'openapi-generator-typescript': openapiGenerator('TypeScript', [], async ({ directory }, variables) =>
    runTypeScript('openapi-generator', directory, variables),
  ),
  'openapi-generator-python': openapiGenerator('Python', [], async ({ directory, tools }, variables) => {
    await writeProgram('openapi-generator.py', join(directory, 'program.py'));
    const env = { ...process.env, ...variables };
    await execute(join(tools, 'bin/python'), ['-m', 'compileall', '-q', 'openapi_client'], {
      cwd: directory,
    });
    await execute(join(tools, 'bin/python'), ['program.py'], { cwd: directory, env });
  }),
  'openapi-generator-java': openapiGenerator('Java', [maven], async ({ directory }, variables) => {
    const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
    await execute('mvn', ['--quiet', '--batch-mode', ...goals], {
      cwd: directory,
      timeout: 300_000,
      maxBuffer: 16 << 20,
    });
    await writeProgram('openapi-generator.java.txt', join(directory, 'Trial.java'));
    const classes = ['target/classes', 'target/dependency/*', '.'].join(delimiter);
    const env = { ...process.env, ...variables };
    await execute('javac', ['-cp', classes, 'Trial.java'], { cwd: directory });
    await execute('java', ['-cp', classes, 'Trial'], { cwd: directory, env, timeout: 60_000 });
  }),
  'openapi-generator-go': openapiGenerator('Go', [go], async ({ directory }, variables) => {
    // The client becomes a package of the program's module; its tests need a module of its own.
    for (const part of ['go.mod', 'go.sum', 'test'])
      await rm(join(directory, 'wrp', part), { recursive: true, force: true });
    await runGo('openapi-generator', directory, variables);
  }),
};
