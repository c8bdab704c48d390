import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files that changed, relative to the root, and when: milliseconds since 1970. */
export type Saved = { files: string[]; at: number };

export type WatchOptions = {
  /** Folders that are watched with all that is in them, and single files, relative to the root. */
  places: readonly string[];
  /** Which files count; what editors keep beside the file that they write does not. */
  counts(file: string): boolean;
  onSaved(saved: Saved): void;
};

// An editor writes a file in several steps, a checkout many files: saves of one moment are one.
const quietMilliseconds = 40;
const longestWait = 400;
// For file systems that tell nothing, such as some mounts into containers.
const lookMilliseconds = 1000;

/**
 * Calls back after files were written, replaced by renaming, added or deleted, once for saves of one moment. What the
 * system tells is a hint only: what counts is which files differ from the last look, so nothing is told twice, and
 * nothing that happens between two looks is lost.
 */
export function watchFiles(root: URL, { places, counts, onSaved }: WatchOptions): { close(): void } {
  let known = snapshot();
  let timer: NodeJS.Timeout | undefined;
  let firstHint = 0;
  const watchers: FSWatcher[] = [];

  function snapshot(): Map<string, string> {
    const found = new Map<string, string>();
    for (const place of places) {
      for (const file of filesIn(root, place)) {
        const stats = counts(file) && statSync(new URL(file, root), { throwIfNoEntry: false });
        if (stats) found.set(file, `${stats.mtimeMs} ${stats.size} ${stats.ino}`);
      }
    }
    return found;
  }

  function look(): void {
    clearTimeout(timer);
    timer = undefined;
    const current = snapshot();
    const changed = [...current].filter(([file, stamp]) => known.get(file) !== stamp).map(([file]) => file);
    const gone = [...known.keys()].filter((file) => !current.has(file));
    known = current;
    if (changed.length + gone.length === 0) return;
    const written = changed.map((file) => Number.parseFloat(current.get(file) ?? '0'));
    const now = Date.now();
    // A file that was moved here keeps the time at which it was written elsewhere.
    const at = gone.length > 0 ? now : Math.max(...written);
    onSaved({ files: [...changed, ...gone].sort(), at: now - at < 10_000 && at <= now ? at : now });
  }

  function hint(): void {
    const now = performance.now();
    if (!timer) firstHint = now;
    clearTimeout(timer);
    timer = setTimeout(look, Math.min(quietMilliseconds, Math.max(0, firstHint + longestWait - now)));
  }

  for (const place of places) {
    try {
      const watcher = watch(new URL(place, root), { recursive: place.endsWith('/') }, hint);
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The looks find it.
    }
  }
  const looks = setInterval(() => timer ?? look(), lookMilliseconds);

  return {
    close() {
      clearInterval(looks);
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function filesIn(root: URL, place: string): string[] {
  if (!place.endsWith('/')) return [place];
  const directory = fileURLToPath(root);
  return entriesOf(new URL(place, root))
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(directory.length).replaceAll('//', '/'));
}

function entriesOf(folder: URL): Dirent[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true });
  } catch {
    // A folder that is being replaced: the next look finds it.
    return [];
  }
}
