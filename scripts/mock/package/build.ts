/** Builds the npm package of the mock: one bundle without dependencies. */
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

/**
 * Builds the package.
 *
 * @param directory is replaced
 */
export async function buildMock(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, modules), { recursive: true });
  const licenses = await bundle(join(directory, modules));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await writeFile(join(directory, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
  await writeFile(join(directory, 'THIRD-PARTY-LICENSES'), licenses);
  for (const file of ['package/index.ts', 'fault.ts'])
    await declare(join(source, '..', file), join(directory, modules, basename(file, '.ts')));
  await chmod(join(directory, modules, 'main.js'), 0o755);
  await cp(join(source, 'README.md'), join(directory, 'README.md'));
  await cp(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  await cp(join(root, 'server/demo/files'), join(directory, 'demo/files'), { recursive: true });
}

const manifest = {
  name: '@wrp/mock',
  description:
    'A mock of the Workflow and Records Platform, which responds with the examples of its contract.',
  type: 'module',
  license: 'MIT',
  engines: { node: '>=20.11' },
  bin: { 'wrp-mock': `${modules}/main.js` },
  exports: {
    '.': { types: `./${modules}/index.d.ts`, default: `./${modules}/index.js` },
    './package.json': './package.json',
  },
};

/** @returns the licenses of the bundled packages */
async function bundle(dir: string): Promise<string> {
  const build = await rolldown({
    input: { index: join(source, 'index.ts'), main: join(source, 'main.ts') },
    platform: 'node',
    transform: { target: 'node20' },
    // A module in the format of AMD requires its parts by a name that no bundler resolves.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [moduleThis],
    // The warnings are about dependencies, which are not ours to change.
    logLevel: 'silent',
  });
  try {
    // Not minified: the reader of the validator's internals compares names, and a stack shows readable lines.
    const { output } = await build.write({ dir, format: 'esm', chunkFileNames: '[name]-[hash].js' });
    const bundled = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []));
    return await licensesOf(bundled);
  } finally {
    await build.close();
  }
}

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
  await writeFile(`${target}.d.ts`, outputText.replaceAll("'../fault.ts'", "'./fault.js'"));
}

const cli = command('mock:pack')
  .description('Builds and packs @wrp/mock, the mock as a package for npm.')
  .option('--to <directory>', 'where to build the package and the tarball', join(root, '.cache/mock'))
  .action(async ({ to }) => {
    const directory = join(to, 'package');
    await buildMock(directory);
    console.log(await packPackage(directory));
  });

if (import.meta.main) await run(cli);
