/**
 * The client as it is published: built JavaScript with declarations, the contract's types in it. Inside the
 * repository its TypeScript is used as it is.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

const usage = `Usage: node scripts/client/package.ts [options]

Builds the client's package into client/dist, and packs it there.

  --no-pack   only the package's directory, without the tarball
  --help      this text`;

/**
 * Builds the package.
 *
 * @param directory replaced
 * @throws Where a module does not compile, with what the compiler says.
 */
export async function buildClient(directory: string): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), 'wrp-client-'));
  try {
    await compile(emitted);
    await rm(directory, { recursive: true, force: true });
    await mkdir(dirname(directory), { recursive: true });
    await cp(join(emitted, 'client/src'), directory, { recursive: true });
    await cp(join(emitted, 'generated/types.d.ts'), join(directory, 'types.d.ts'));
    await pointDeclarationsAtJavaScript(directory);
    for (const file of ['README.md', 'LICENSE']) {
      await cp(join(root, file === 'LICENSE' ? '' : 'client', file), join(directory, file));
    }
    const manifest = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'));
    await writeFile(join(directory, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Packs a built package. @returns the tarball, in that directory's parent or where it is told */
export async function packClient(directory: string, destination = dirname(directory)): Promise<string> {
  // Without the look for a newer npm, which would ask a registry.
  const options = ['--json', '--no-update-notifier', '--pack-destination', destination];
  const { stdout } = await run('npm', ['pack', ...options], { cwd: directory });
  const [{ filename }] = JSON.parse(stdout);
  return join(destination, filename);
}

/** The compiler leaves the extensions of TypeScript in declarations, which not every reader of them follows. */
async function pointDeclarationsAtJavaScript(directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(directory, name);
    const declared = (await readFile(file, 'utf8')).replaceAll('../../generated/types.ts', './types.ts');
    await writeFile(file, declared.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/**
 * Makes an application that has the packed client installed: what `npm install <tarball>` leaves, with the
 * dependencies that are installed here, so that no registry is asked.
 *
 * @returns the names of the files in the package
 */
export async function installPackedClient(application: string): Promise<string[]> {
  const build = join(application, 'build');
  const modules = join(application, 'node_modules');
  const installed = join(modules, '@wrp/client');
  await buildClient(join(build, 'package'));
  const tarball = await packClient(join(build, 'package'));
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true });
  await writeFile(join(application, 'package.json'), '{"type": "module"}\n');
  await rm(build, { recursive: true });
  return readdir(installed, { recursive: true });
}

/**
 * Each module on its own, without checking it: `npm run check` does that. The declarations need nothing but the
 * module's own text (`isolatedDeclarations`).
 */
async function compile(outDir: string): Promise<void> {
  const source = join(root, 'client/src');
  const names = await readdir(source, { recursive: true });
  const modules = names.filter((name) => name.endsWith('.ts')).map((name) => ['client/src', name]);
  for (const [folder = '', name = ''] of [...modules, ['generated', 'types.ts']]) {
    const fileName = join(root, folder, name);
    const text = await readFile(fileName, 'utf8');
    const target = join(outDir, folder, name.replace(/\.ts$/, ''));
    const options = { fileName, compilerOptions };
    const declared = ts.transpileDeclaration(text, options);
    const [fault] = declared.diagnostics ?? [];
    if (fault) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.js`, ts.transpileModule(text, options).outputText);
    await writeFile(`${target}.d.ts`, declared.outputText);
  }
}

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  isolatedDeclarations: true,
  declaration: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
} satisfies ts.CompilerOptions;

interface Manifest {
  imports: Record<string, Record<string, string>>;
  exports: Record<string, string>;
}

/** The same manifest over the built files. */
function published(manifest: Manifest): object {
  const built = (path: string) => path.replace('./src/', './').replace(/\.ts$/, '.js');
  const exported = Object.entries(manifest.exports).map(([name, path]) => {
    // Tools read the manifest of what is installed; there is nothing to build of it.
    if (path.endsWith('.json')) return [name, path];
    const file = built(path);
    return [name, { types: file.replace(/\.js$/, '.d.ts'), default: file }];
  });
  const imported = Object.entries(manifest.imports).map(([name, conditions]) => {
    return [name, Object.fromEntries(Object.entries(conditions).map(([key, path]) => [key, built(path)]))];
  });
  return {
    ...manifest,
    imports: Object.fromEntries(imported),
    exports: Object.fromEntries(exported),
  };
}

async function main(): Promise<void> {
  const options = { pack: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options, allowNegative: true });
  if (values.help) return console.log(usage);
  const directory = join(root, 'client/dist/package');
  await buildClient(directory);
  console.log(values.pack === false ? directory : await packClient(directory));
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
