import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { permissionOf, routesOf } from '../../server/contract/index.ts';
import { CommandError } from '../command-line/command.ts';
import type { Contract } from '../contract/source.ts';
import { clientExamplesModule } from './client-examples.ts';
import { clientOperationsModule } from './client-operations.ts';
import { eventSchemasModule, requestSchemasModule, responseSchemasModule } from './client-schemas.ts';
import { editorSchemas } from './editor-schemas.ts';
import { operationsModule } from './operations.ts';
import { styleGuide } from './style-guide.ts';
import { typesModule } from './types.ts';

/** Derived modules that import sources of the package in which they lie, by path in the project. */
export const modules: Record<string, (contract: Contract) => string> = {
  'client/src/operations.ts': clientOperationsModule,
  'client/src/msw-examples.ts': clientExamplesModule,
  'server/src/handlers/registry.ts': handlerRegistry,
};

/** The files derived from the contract, by path relative to `generated/`. @param digest of the contract's source */
export async function generatedFiles(contract: Contract, digest: string): Promise<Record<string, string>> {
  return {
    'openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
    'types.ts': await typesModule(contract),
    'operations.ts': operationsModule(contract),
    'version.ts': versionModule(contract),
    'date-times.ts': await ruleModule('date-times.ts'),
    'nearest.js': await ruleModule('nearest.js'),
    'request-schemas.ts': await requestSchemasModule(contract),
    'response-schemas.ts': await responseSchemasModule(contract),
    'event-schemas.ts': await eventSchemasModule(contract),
    'event-types.json': eventTypes(contract),
    'role-permissions.json': rolePermissions(contract),
    ...editorSchemas(),
    'style-guide.md': styleGuide(),
    ...Object.fromEntries(Object.entries(modules).map(([path, text]) => [`../${path}`, text(contract)])),
    'source.sha256': `${digest}\n`,
  };
}

/** The client and the contract have the same version. */
function versionModule({ info }: Contract): string {
  const { version } = info as { version: string };
  return `// Generated from spec/ by \`npm run generate\`. Do not edit.\n\nexport const version = '${version}';\n`;
}

/** A module of the lint rules that other folders use, too. */
async function ruleModule(name: string): Promise<string> {
  const source = await readFile(new URL(`../../spec/rules/${name}`, import.meta.url), 'utf8');
  return `// Generated from spec/ by \`npm run generate\`. Do not edit.\n\n${source}`;
}

/** A part of the manifest's JSON Schema. */
function eventTypes({ webhooks = {} }: Contract): string {
  return `${JSON.stringify({ enum: Object.keys(webhooks) }, null, 2)}\n`;
}

/** A part of the manifest's JSON Schema: what a role may grant. `can_edit_data` is of the records, which the API only reads. */
function rolePermissions(contract: Contract): string {
  const needed = routesOf(contract).flatMap(({ operation }) => permissionOf(operation) ?? []);
  return `${JSON.stringify({ enum: [...new Set([...needed, 'can_edit_data'])].sort() }, null, 2)}\n`;
}

/** Imports the handlers of every resource: a file that is missing does not compile. */
function handlerRegistry(contract: Contract): string {
  const tags = routesOf(contract).map(({ operation }) => operation.tags?.[0] ?? '');
  const resources = [...new Set(tags)].sort();
  const nameOf = (resource: string) =>
    resource.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '// Generated from spec/ by `npm run generate`. Do not edit.\n',
    ...resources.map((one) => `import { handlers as ${nameOf(one)} } from './${one}.ts';\n`),
    '\n/** The handlers of every resource. */\nexport const registry = {\n',
    ...resources.map((one) => `  ${one === nameOf(one) ? one : `'${one}': ${nameOf(one)}`},\n`),
    '};\n',
  ].join('');
}

async function staleFiles(root: URL, files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const existing = await readFile(new URL(`generated/${name}`, root), 'utf8').catch(() => undefined);
    if (existing !== text) stale.push(name);
  }
  return stale;
}

/** Writes the stale files. A rename replaces each, because a watcher may be reading the old one. */
export async function writeGenerated(root: URL, files: Record<string, string>): Promise<string[]> {
  const stale = await staleFiles(root, files);
  for (const name of stale) {
    const file = new URL(`generated/${name}`, root);
    const temporary = new URL(`${file.href}.${process.pid}`);
    await mkdir(new URL('.', file), { recursive: true });
    await writeFile(temporary, files[name] ?? '');
    await rename(temporary, file);
  }
  return stale;
}

/**
 * Writes the stale files and prints their names.
 * @param check write nothing @throws {CommandError} if `check` and a file is stale
 */
export async function updateGenerated(
  root: URL,
  files: Record<string, string>,
  check: boolean,
): Promise<void> {
  const stale = check ? await staleFiles(root, files) : await writeGenerated(root, files);
  const names = stale.map((name) => posix.join('generated', name)).join(', ');
  if (check && stale.length > 0) {
    throw new CommandError(`${names} is stale; run \`npm run generate\` and commit the result.`);
  }
  const all = Object.keys(files).length > 1 ? 'generated/ is' : `generated/${Object.keys(files)[0]} is`;
  console.log(stale.length === 0 ? `${all} up to date.` : `Wrote ${names}.`);
}
