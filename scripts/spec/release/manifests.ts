import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../../command-line/command.ts';

/**
 * Sets the version of the contract's source, of every package of the project and of the packages that texts name, as in
 * `wrp-client-3.0.0.tgz`. @returns the files that it wrote
 */
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
  return [...edits.map(([file]) => file), ...(await renameInTexts(root, version))];
}

const texts = [
  'spec/**/*.{md,yaml}',
  'scripts/portal/pages/*.md',
  '{client,server,scripts,test}/**/README.md',
];
const exclude = ['spec/releases', '**/node_modules', '**/dist'];
/** `wrp-client-3.0.0.tgz`, `wrp-client/3.0.0` and the version of a journey. */
const named = /(\bwrp-[a-z-]+[-/]|^ {2}version: )\d+\.\d+\.\d+/gm;

async function renameInTexts(root: URL, version: string): Promise<string[]> {
  const changed: string[] = [];
  for await (const file of glob(texts, { cwd: fileURLToPath(root), exclude })) {
    const url = new URL(file, root);
    const before = await readFile(url, 'utf8');
    const after = before.replaceAll(named, `$1${version}`);
    if (after === before) continue;
    await writeFile(url, after);
    changed.push(file);
  }
  return changed.sort();
}

type Versioned = { version: string };
type Lock = Versioned & { packages: Record<string, Versioned> };
