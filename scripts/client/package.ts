/** Builds the client's npm package: JavaScript with declarations, including the contract's types. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { command, run } from '../command-line/command.ts';
import { temporaryDirectory } from '../command-line/temporary-directory.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);

/**
 * Builds the package.
 *
 * @param directory is replaced
 * @throws if a module does not compile, with the compiler's message
 */
export async function buildClient(directory: string): Promise<void> {
  await using temporary = await temporaryDirectory('client');
  const { path: emitted } = temporary;
  await compile(emitted);
  await rm(directory, { recursive: true, force: true });
  await mkdir(dirname(directory), { recursive: true });
  await cp(join(emitted, 'client/src'), directory, { recursive: true });
  await cp(join(emitted, 'generated'), join(directory, 'generated'), { recursive: true });
  await adjustImports(directory);
  for (const file of ['README.md', 'LICENSE']) {
    await cp(join(root, file === 'LICENSE' ? '' : 'client', file), join(directory, file));
  }
  const manifest = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'));
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(published(manifest), null, 2)}\n`);
}

/** Packs a built package. @returns the path of the tarball */
export async function packPackage(directory: string, destination = dirname(directory)): Promise<string> {
  // Without this, npm asks the registry whether a newer npm exists.
  const options = ['--json', '--no-update-notifier', '--pack-destination', destination];
  const { stdout } = await execute('npm', ['pack', ...options], { cwd: directory });
  const [{ filename }] = JSON.parse(stdout);
  return join(destination, filename);
}

/**
 * Points imports of generated modules to their place in the package, and those of declarations to JavaScript: the
 * compiler leaves `.ts`, which some tools do not resolve.
 */
async function adjustImports(directory: string): Promise<void> {
  for (const name of await readdir(directory, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(name)) continue;
    const file = join(directory, name);
    const toRoot = posix.relative(posix.dirname(name), '.') || '.';
    const text = (await readFile(file, 'utf8')).replaceAll(
      /(?<=from ['"])(\.\.\/)+generated\//g,
      `${toRoot}/generated/`,
    );
    await writeFile(file, name.endsWith('.js') ? text : text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/**
 * Creates an application with the packed client installed, as `npm install <tarball>` does, but with this project's
 * copies of the dependencies, so that it needs no registry.
 *
 * @returns the files of the package
 */
export async function installPackedClient(application: string): Promise<string[]> {
  const build = join(application, 'build');
  const modules = join(application, 'node_modules');
  const installed = join(modules, '@wrp/client');
  await buildClient(join(build, 'package'));
  const tarball = await packPackage(join(build, 'package'));
  await mkdir(installed, { recursive: true });
  await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true });
  await writeFile(join(application, 'package.json'), '{"type": "module"}\n');
  await rm(build, { recursive: true });
  return readdir(installed, { recursive: true });
}

/**
 * Compiles each module separately, which `isolatedDeclarations` allows, and without type checks, which `npm run check`
 * does.
 */
async function compile(outDir: string): Promise<void> {
  const source = join(root, 'client/src');
  const names = await readdir(source, { recursive: true });
  const modules = names.filter((name) => name.endsWith('.ts')).map((name) => `client/src/${name}`);
  // Grows while it is iterated over: with the generated modules that a module imports.
  const all = new Set(modules);
  for (const name of all) {
    const fileName = join(root, name);
    const text = await readFile(fileName, 'utf8');
    for (const [, imported] of text.matchAll(/from '(?:\.\.\/)+(generated\/[\w-]+\.ts)'/g))
      all.add(imported as string);
    if (name.startsWith('generated/'))
      for (const [, imported] of text.matchAll(/from '\.\/([\w-]+\.ts)'/g)) all.add(`generated/${imported}`);
    const target = join(outDir, name.replace(/\.ts$/, ''));
    const options = { fileName, compilerOptions };
    const declared = ts.transpileDeclaration(text, options);
    const [error] = declared.diagnostics ?? [];
    if (error) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`);
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
  bin: Record<string, string>;
  imports: Record<string, Record<string, string>>;
  exports: Record<string, string>;
}

/** The manifest, with each source file replaced by its built one. */
function published(manifest: Manifest): object {
  const built = (path: string) => path.replace('./src/', './').replace(/\.ts$/, '.js');
  const exported = Object.entries(manifest.exports).map(([name, path]) => {
    // `./package.json` is exported for tools that read an installed package's manifest.
    if (path.endsWith('.json')) return [name, path];
    const file = built(path);
    return [name, { types: file.replace(/\.js$/, '.d.ts'), default: file }];
  });
  const imported = Object.entries(manifest.imports).map(([name, conditions]) => {
    return [name, Object.fromEntries(Object.entries(conditions).map(([key, path]) => [key, built(path)]))];
  });
  const commands = Object.entries(manifest.bin).map(([name, path]) => [name, built(path)]);
  return {
    ...manifest,
    bin: Object.fromEntries(commands),
    imports: Object.fromEntries(imported),
    exports: Object.fromEntries(exported),
  };
}

const cli = command('client:pack')
  .description("Builds the client's package into client/dist, and packs it there.")
  .option('--no-pack', 'build the directory only, without the tarball')
  .action(async ({ pack }) => {
    const directory = join(root, 'client/dist/package');
    await buildClient(directory);
    console.log(pack ? await packPackage(directory) : directory);
  });

if (import.meta.main) await run(cli);
