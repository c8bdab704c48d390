import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Contract } from '../contract/source.ts';
import { operationsModule } from './operations.ts';
import { typesModule } from './types.ts';

/** The files of `generated/`, by name. @param digest of what the contract was bundled from */
export async function generatedFiles(contract: Contract, digest: string): Promise<Record<string, string>> {
  return {
    'openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
    'types.ts': await typesModule(contract),
    'operations.ts': operationsModule(contract),
    'source.sha256': `${digest}\n`,
  };
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
