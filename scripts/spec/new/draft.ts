import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';

/** Files as they are to become; nothing is written before `write`. */
export type Draft = {
  /** As it is to become so far; `undefined` where there is none. */
  read(file: string): string | undefined;
  set(file: string, text: string): void;
  /** Changes a file that there is. @throws where it changes nothing: the file is not as this command knows it */
  change(file: string, change: (text: string) => string): void;
  /** What is to be written, in the order in which it was drafted, with what the file holds now. */
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
        throw new Error(`${file} is not as spec:new knows it; add the operation by hand.`);
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
