import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Creates a file durably and atomically, readable only by its owner. Keeps an existing file: one of several concurrent
 * callers wins.
 */
export async function createDurably(path: string, content: string): Promise<void> {
  await write(path, content, async (draft) => {
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
}

/** Creates or replaces a file durably and atomically. It is readable only by its owner. */
export async function replaceDurably(path: string, content: string | Buffer): Promise<void> {
  await write(path, content, (draft) => rename(draft, path));
}

async function write(path: string, content: string | Buffer, publish: (draft: string) => Promise<void>) {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600, flush: true });
    await publish(draft);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

/** Makes changes to the entries of a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, 'r');
  await directory.sync();
}

/** The result of a file operation, or undefined if the file does not exist. */
export function ifExists<Result>(operation: Promise<Result>): Promise<Result | undefined> {
  return operation.catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** Shortens a system error: "EACCES: permission denied, mkdir …" becomes "permission denied". */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, reason = message] = /^E[A-Z0-9]+: ([^,]+)/.exec(message) ?? [];
  return reason === 'illegal operation on a directory' ? 'it is a directory' : reason;
}
