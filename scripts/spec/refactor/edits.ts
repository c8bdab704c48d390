import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Wrong arguments: exit code 2. */
export class ArgumentError extends Error {}

/** Changes of hand-written files by position. Nothing is written before `write`. */
export type Edits = {
  /** Every hand-written text file, relative to the project's root. */
  files: readonly string[];
  read(file: string): string;
  /** Replaces a range of the file as it is on disk. The same range twice is one change. */
  replace(file: string, start: number, end: number, text: string): void;
  has(file: string, offset: number): boolean;
  /** Replaces a whole file; an empty text removes it. */
  set(file: string, text: string): void;
  /** Lists a place that cannot be decided. */
  unsure(file: string, offset: number): void;
  changes(): { file: string; after: string; lines: number[] }[];
  /** `file:line` of each place to look at. */
  places(): string[];
  /** Writes all files, or restores them if one fails. @returns a function that restores them */
  write(): Promise<() => Promise<void>>;
};

const folders = ['spec', 'server', 'client', 'scripts', 'test'];
const skipped = /(^|\/)(node_modules|dist|data|\.[^/]+)(\/|$)|^spec\/releases\/|^scripts\/spec\/refactor\//;
const isText = /\.(ts|tsx|js|mjs|md|ya?ml|txt|sh|json|toml|html|py|go)$/;

export function editsOf(root: URL): Edits {
  const listed = folders.flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) =>
        relative(fileURLToPath(root), join(parentPath, name)).replaceAll(sep, '/'),
      ),
  );
  const inRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const texts = new Map<string, string>();
  const read = (file: string) => {
    const text = texts.get(file) ?? readFileSync(new URL(file, root), 'utf8');
    texts.set(file, text);
    return text;
  };
  const files = [...listed, ...inRoot]
    .filter((file) => !skipped.test(file) && isText.test(file))
    .filter((file) => !/^(\/\/|\/\*\*) Generated /.test(read(file)))
    .sort();
  const ranges = new Map<string, Map<number, { end: number; text: string }>>();
  const whole = new Map<string, string>();
  const unsure = new Map<string, Set<number>>();
  const edits: Edits = {
    files,
    read,
    replace(file, start, end, text) {
      const own = ranges.get(file) ?? new Map();
      ranges.set(file, own.set(start, { end, text }));
    },
    has: (file, offset) =>
      [...(ranges.get(file) ?? [])].some(([start, { end }]) => start <= offset && offset < end),
    set: (file, text) => void whole.set(file, text),
    unsure: (file, offset) => void unsure.set(file, (unsure.get(file) ?? new Set()).add(offset)),
    changes: () => [
      ...[...whole].map(([file, after]) => ({ file, after, lines: [1] })),
      ...[...ranges].map(([file, own]) => ({ file, ...applied(read(file), own) })),
    ],
    places: () =>
      [...unsure].flatMap(([file, offsets]) =>
        [
          ...new Set([...offsets].filter((at) => !edits.has(file, at)).map((at) => lineAt(read(file), at))),
        ].map((line) => `${file}:${line}`),
      ),
    async write() {
      const changes = edits.changes();
      const before = changes.map(({ file }) => ({
        file,
        after: existsSync(new URL(file, root)) ? read(file) : '',
      }));
      const undo = () => save(root, before);
      await save(root, changes).catch(async (error) => {
        await undo();
        throw error;
      });
      return undo;
    },
  };
  return edits;
}

async function save(root: URL, files: { file: string; after: string }[]): Promise<void> {
  for (const { file, after } of files) {
    const url = new URL(file, root);
    await mkdir(new URL('.', url), { recursive: true });
    if (after === '') rmSync(url, { force: true });
    else writeFileSync(url, after);
  }
}

function applied(text: string, ranges: Map<number, { end: number; text: string }>) {
  const sorted = [...ranges].sort(([one], [other]) => other - one);
  const after = sorted.reduce(
    (all, [start, { end, text }]) => all.slice(0, start) + text + all.slice(end),
    text,
  );
  return { after, lines: [...new Set(sorted.reverse().map(([start]) => lineAt(text, start)))] };
}

/** The offsets at which a text has a name as a whole word, also after an escape such as `\n`. */
export function wordsIn(text: string, name: string): number[] {
  const word = new RegExp(`(?:(?<![\\w$])|(?<=\\\\[nrt]))${name}(?![\\w$])`, 'g');
  return [...text.matchAll(word)].map(({ index }) => index);
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
