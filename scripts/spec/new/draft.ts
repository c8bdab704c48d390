import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { CommandError } from '../../command-line/command.ts';

/** Changes of files; nothing is written before `write`. */
export type Draft = {
  /** With the changes so far; `undefined` if there is no such file. */
  read(file: string): string | undefined;
  set(file: string, text: string): void;
  /** Changes an existing file. @throws {CommandError} if nothing changes */
  change(file: string, change: (text: string) => string): void;
  /** What `write` writes, in the order of the changes, with the current text. */
  changes(): { file: string; before: string | undefined; after: string }[];
  write(): Promise<void>;
};

export function draftOf(root: URL): Draft {
  const drafted = new Map<string, string>();
  const current = (file: string) => {
    const url = new URL(file, root);
    return existsSync(url) ? readFileSync(url, 'utf8') : undefined;
  };
  const draft: Draft = {
    read: (file) => drafted.get(file) ?? current(file),
    set: (file, text) => void drafted.set(file, text),
    change(file, change) {
      const before = draft.read(file) ?? '';
      const after = change(before);
      if (after === before)
        throw new CommandError(`${file} does not have the form that spec:new expects; add it by hand.`);
      drafted.set(file, after);
    },
    changes: () => [...drafted].map(([file, after]) => ({ file, before: current(file), after })),
    async write() {
      for (const [file, text] of drafted) {
        const url = new URL(file, root);
        await mkdir(new URL('.', url), { recursive: true });
        await writeFile(url, text);
      }
    },
  };
  return draft;
}
