/** Generates clients from the contract with the generators of others, compiles them, and calls a platform with them. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, run } from '../command-line/command.ts';
import { errorLine, execute, install, namesIn, type Place, runTrials, type TrialResult } from './trials.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const contract = join(root, 'generated/openapi.json');
const programs = fileURLToPath(new URL('generators/', import.meta.url));

interface Generator {
  /** Exact, because a new version of a generator is no change of this project. */
  version: string;
  install(directory: string, version: string): Promise<void>;
  /** Generates the client beside its program, compiles both and runs the program. */
  use(directory: string, variables: Place['variables']): Promise<void>;
}

const generators: Record<string, Generator> = {
  'hey-api': {
    version: '0.99.0',
    // It uses the compiler's JavaScript API, which TypeScript 7 does not have.
    install: (directory, version) =>
      install([`@hey-api/openapi-ts@${version}`, 'typescript@5.9.3'], directory),
    async use(directory, variables) {
      const options = ['-i', contract, '-o', 'hey-api', '-c', '@hey-api/client-fetch'];
      await execute(join(directory, 'node_modules/.bin/openapi-ts'), options, { cwd: directory });
      await runTypeScript('hey-api', directory, variables);
    },
  },
  orval: {
    version: '8.38.0',
    install: (directory, version) => install([`orval@${version}`], directory),
    async use(directory, variables) {
      const output = { target: './orval.ts', client: 'fetch', baseUrl: variables['BASE_URL'] };
      const config = `module.exports = ${JSON.stringify({ wrp: { input: contract, output } })};`;
      await writeFile(join(directory, 'orval.config.cjs'), config);
      const options = ['--config', 'orval.config.cjs'];
      await execute(join(directory, 'node_modules/.bin/orval'), options, { cwd: directory });
      await runTypeScript('orval', directory, variables, 'orval-program');
    },
  },
  'openapi-python-client': {
    version: '0.29.1',
    async install(directory, version) {
      await execute('python3', ['-m', 'venv', directory]);
      const pip = ['install', '--quiet', '--disable-pip-version-check', `openapi-python-client==${version}`];
      await execute(join(directory, 'bin/pip'), pip, { timeout: 180_000 });
    },
    async use(directory, variables) {
      await writeFile(join(directory, 'config.yaml'), 'post_hooks: []\n');
      const options = ['--path', contract, '--output-path', 'generated', '--meta', 'none'];
      const generate = ['generate', ...options, '--config', 'config.yaml', '--fail-on-warning'];
      await execute(join(directory, 'bin/openapi-python-client'), generate, { cwd: directory });
      const python = join(directory, 'bin/python');
      await execute(python, ['-m', 'compileall', '-q', 'generated'], { cwd: directory });
      await copyFile(join(programs, 'openapi-python-client.py'), join(directory, 'program.py'));
      await execute(python, ['program.py'], { cwd: directory, env: { ...process.env, ...variables } });
    },
  },
};

async function runTypeScript(
  name: string,
  directory: string,
  variables: Place['variables'],
  program = `${name}-program`,
): Promise<void> {
  await copyFile(join(programs, `${name}.ts.txt`), join(directory, `${program}.ts`));
  await copyFile(join(programs, 'journey.ts.txt'), join(directory, 'journey.ts'));
  const compilerOptions = {
    ...{ strict: true, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
    ...{ module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    ...{
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      skipLibCheck: true,
      outDir: 'built',
    },
  };
  const files = [`${program}.ts`];
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await writeFile(join(directory, 'package.json'), '{}\n');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await execute(process.execPath, [tsc, '-p', '.'], { cwd: directory });
  const env = { ...process.env, ...variables };
  await execute(process.execPath, [`built/${program}.js`], { cwd: directory, env, timeout: 60_000 });
}

async function tryGenerator(
  name: string,
  { version, ...generator }: Generator,
  place: Place,
): Promise<TrialResult> {
  const directory = join(place.directory, name);
  if (name === 'openapi-python-client' && !(await hasPython()))
    return { outcome: 'skipped', detail: 'there is no python3 of version 3.10 or later' };
  try {
    await mkdir(directory, { recursive: true });
    await generator.install(directory, version);
  } catch (error) {
    return { outcome: 'not installed', detail: errorLine(error) };
  }
  try {
    await generator.use(directory, place.variables);
    return { outcome: 'passed', detail: version };
  } catch (error) {
    return { outcome: 'failed', detail: `${version}: ${errorLine(error)}` };
  }
}

async function hasPython(): Promise<boolean> {
  const isRecent = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';
  return execute('python3', ['-c', isRecent]).then(
    () => true,
    () => false,
  );
}

const names = Object.keys(generators);

const cli = command('client:generators')
  .description(`Generates clients with hey-api, orval and openapi-python-client, if they can be installed, compiles them, and calls
a platform of its own with them. Prints one line for each. Exit code 1: one of them failed.`)
  .option('--only <names>', `only these, comma-separated: ${names.join(', ')}`, namesIn(names))
  .option('--json', 'print [{name, outcome, detail}]')
  .action(async ({ only = names, json = false }) => {
    const trials = Object.entries(generators).map(
      ([name, generator]) => [name, (place: Place) => tryGenerator(name, generator, place)] as const,
    );
    await runTrials(Object.fromEntries(trials), { only, json });
  });

await run(cli);
