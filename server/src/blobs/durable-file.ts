import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-directory.ts';

/**
 * Creates a file that survives a crash, whole or not at all. One that exists already is left as it is: of
 * concurrent creators one wins.
 */
export async function createDurably(path: string, text: string): Promise<void> {
  await write(path, text, async (draft) => {
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
}

/** Replaces a file, or creates it: after a crash it has its old content or the new one. */
export async function replaceDurably(path: string, text: string): Promise<void> {
  await write(path, text, (draft) => rename(draft, path));
}

async function write(path: string, text: string, publish: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await publish(draft);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}
