import { readFile, rename, writeFile } from 'node:fs/promises';
import { routesOf } from '../../server/src/contract/routes.ts';
import type { Contract } from '../contract/source.ts';
import { operationsModule } from './operations.ts';
import { typesModule } from './types.ts';

/** The files that follow from the contract, by their path from `generated/`. @param digest of what the contract was bundled from */
export async function generatedFiles(contract: Contract, digest: string): Promise<Record<string, string>> {
  return {
    'openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
    'types.ts': await typesModule(contract),
    'operations.ts': operationsModule(contract),
    'event-types.json': eventTypes(contract),
    '../server/src/handlers/registry.ts': handlerRegistry(contract),
    'source.sha256': `${digest}\n`,
  };
}

/** Part of the JSON Schema of the manifest. */
function eventTypes({ webhooks = {} }: Contract): string {
  return `${JSON.stringify({ enum: Object.keys(webhooks) }, null, 2)}\n`;
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

/** The names of those files that are missing, or say something else. */
export async function staleFiles(root: URL, files: Record<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const existing = await readFile(new URL(`generated/${name}`, root), 'utf8').catch(() => undefined);
    if (existing !== text) stale.push(name);
  }
  return stale;
}

/** Writes what is stale. Readers never see half a file: a watcher may be looking at the old one right now. */
export async function writeGenerated(root: URL, files: Record<string, string>): Promise<string[]> {
  const stale = await staleFiles(root, files);
  for (const name of stale) {
    const file = new URL(`generated/${name}`, root);
    const temporary = new URL(`${file.href}.${process.pid}`);
    await writeFile(temporary, files[name] ?? '');
    await rename(temporary, file);
  }
  return stale;
}
