import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';

/** Files that changed, relative to the root, and when: milliseconds since 1970. */
export type Saved = { files: string[]; at: number };

export type WatchOptions = {
  /** Folders, watched with everything in them, and single files, relative to the root. */
  places: readonly string[];
  /** Whether a file counts: false for the temporary files of editors. */
  counts(file: string): boolean;
  onSaved(saved: Saved): void;
};

// An editor writes a file in several steps, a checkout writes many files: changes that follow each other at once are
// one save. chokidar drops a second change of a file within 50 ms, so a shorter pause would miss the last write.
const quietMilliseconds = 60;
const longestWait = 400;

/**
 * Calls back once per save: after files were written, replaced, added or deleted. On file systems without change
 * notification, such as some container mounts, set `CHOKIDAR_USEPOLLING=1`.
 *
 * @returns once every later change is noticed
 */
export async function watchFiles(
  root: URL,
  { places, counts, onSaved }: WatchOptions,
): Promise<{ close(): void }> {
  const directory = fileURLToPath(root);
  const named = (path: string) => relative(directory, path).replaceAll(sep, '/');
  const changes = new Map<string, number>();
  let firstChange = 0;
  let timer: NodeJS.Timeout | undefined;

  const report = () => {
    const saved = { files: [...changes.keys()].sort(), at: Math.max(...changes.values()) };
    timer = undefined;
    changes.clear();
    onSaved(saved);
  };
  const watcher = watch(
    places.map((place) => fileURLToPath(new URL(place, root))),
    {
      ignoreInitial: true,
      alwaysStat: true,
      ignored: (path, stats) => !!stats?.isFile() && !counts(named(path)),
    },
  );
  watcher.on('all', (event, path, stats) => {
    if (event === 'addDir' || event === 'unlinkDir' || !counts(named(path))) return;
    const now = Date.now();
    const age = now - (stats?.mtimeMs ?? now);
    // A file that was moved here keeps the time at which it was written.
    changes.set(named(path), age >= 0 && age < 10_000 ? now - age : now);
    if (!timer) firstChange = now;
    clearTimeout(timer);
    timer = setTimeout(report, Math.min(quietMilliseconds, Math.max(0, firstChange + longestWait - now)));
  });
  // A folder that cannot be watched (deleted meanwhile, for instance) must not end the tool.
  watcher.on('error', () => {});
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return {
    close() {
      clearTimeout(timer);
      void watcher.close();
    },
  };
}
