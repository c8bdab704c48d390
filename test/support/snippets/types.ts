import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scaledTimeout } from '../timeout.ts';
import type { Programs } from './programs.ts';
import type { SnippetError } from './snippet.ts';

const run = promisify(execFile);
const compiler = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));

/** Strict, with the types of Node and browsers. */
const compilerOptions = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  types: ['node'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  noEmit: true,
  allowImportingTsExtensions: true,
  allowJs: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/** The compiler's errors for the programs of pages. */
export async function typeErrors({ files, pages }: Programs): Promise<SnippetError[]> {
  const [first] = files;
  if (!first) return [];
  const project = join(dirname(first), 'tsconfig.json');
  const include = files.map((file) => basename(file));
  await writeFile(project, JSON.stringify({ compilerOptions, include }));
  const { stdout } = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
    cwd: dirname(first),
    timeout: scaledTimeout(120_000),
  }).catch((error) => error);
  const problems: SnippetError[] = [];
  for (const [, name, line, message = ''] of stdout.matchAll(/^(\S+?)\((\d+),\d+\): error (.+)$/gm)) {
    const program = include.indexOf(name);
    if (program < 0) throw new Error(`${name}:${line} ${message}`);
    const lines = (await readFile(files[program] as string, 'utf8')).split('\n').slice(0, Number(line));
    const block = lines.findLast((text) => text.includes(' globalThis.enter('));
    const snippet = pages[program]?.[Number(/\d+/.exec(block ?? '0')?.[0])];
    if (snippet) problems.push({ snippet, message });
  }
  return problems;
}
