import { readFile, writeFile } from 'node:fs/promises';
import { CommandError } from '../../command-line/command.ts';

const workspaces = ['', 'server/', 'client/', 'scripts/', 'test/'];

/** Sets the version of the contract's source and of every package of the project. @returns the files that it wrote */
export async function setVersion(root: URL, version: string): Promise<string[]> {
  const manifests = workspaces.map((workspace) => `${workspace}package.json`);
  const edits: [file: string, edit: (text: string) => string][] = [
    ['spec/openapi.yaml', (text) => text.replace(/^( {2}version:).*$/m, `$1 ${version}`)],
    ...manifests.map((file): (typeof edits)[number] => [
      file,
      (text) => text.replace(/^( {2}"version":) "[^"]*"/m, `$1 "${version}"`),
    ]),
    ['package-lock.json', (text) => lockWithVersion(text, version)],
  ];
  for (const [file, edit] of edits) {
    const url = new URL(file, root);
    const text = edit(await readFile(url, 'utf8'));
    if (!text.includes(version)) throw new CommandError(`${file} has no version to replace.`);
    await writeFile(url, text);
  }
  return edits.map(([file]) => file);
}

function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const workspace of workspaces) lock.packages[workspace.replace(/\/$/, '')].version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
