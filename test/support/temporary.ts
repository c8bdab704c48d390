import { accessSync, constants, statfsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished, TestRunner } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the run, which is removed at its end. */
    runDirectory: string;
  }
}

const memory = '/dev/shm';
const room = 3 * 2 ** 30;

/** Where databases and stored files of tests are: the directory of the run. */
export function temporaryRoot(): string {
  return inject('runDirectory');
}

/**
 * Where the directories of runs are: in memory, if there is room. A copy of a database, as most test files make one, is
 * a thousand files: on a disk, it takes ten times as much processor time.
 */
export function runsRoot(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > room ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const endsOfFile: (() => void | Promise<void>)[] = [];

/** Registers the end of what a test opens, or else of what its file opens, in a hook or outside one. */
export function atEnd(end: () => void | Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else endsOfFile.push(end);
}

/** Ends what the file opened, what was opened last first: Vitest ignores an `afterAll` that a hook calls. */
export async function endFile(): Promise<void> {
  const end = endsOfFile.pop();
  try {
    await end?.();
  } finally {
    if (end) await endFile();
  }
}

/** A directory with these files, until the test or the file ends. */
export async function directoryWith(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-files-'));
  atEnd(() => rm(directory, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}
