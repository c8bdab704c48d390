import { readFile, writeFile } from 'node:fs/promises';
import { CommandError } from '../../command-line/command.ts';

/** Sets the version of the contract's source and of every package of the project. @returns the files that it wrote */
export async function setVersion(root: URL, version: string): Promise<string[]> {
  const lock: Lock = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
  // The root is ''; installed packages are in node_modules.
  const packages = Object.keys(lock.packages).filter((path) => !path.includes('node_modules'));
  lock.version = version;
  for (const path of packages) (lock.packages[path] as Versioned).version = version;
  const edits: [file: string, edit: (text: string) => string][] = [
    ['spec/openapi.yaml', (text) => text.replace(/^( {2}version:).*$/m, `$1 ${version}`)],
    ...packages.map((path): (typeof edits)[number] => [
      path === '' ? 'package.json' : `${path}/package.json`,
      (text) => text.replace(/^( {2}"version":) "[^"]*"/m, `$1 "${version}"`),
    ]),
    ['package-lock.json', () => `${JSON.stringify(lock, null, 2)}\n`],
  ];
  for (const [file, edit] of edits) {
    const url = new URL(file, root);
    const text = edit(await readFile(url, 'utf8'));
    if (!text.includes(version)) throw new CommandError(`${file} has no version to replace.`);
    await writeFile(url, text);
  }
  return edits.map(([file]) => file);
}

type Versioned = { version: string };
type Lock = Versioned & { packages: Record<string, Versioned> };
