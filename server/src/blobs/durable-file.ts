import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a file durably and atomically. Keeps an existing file: one of several concurrent callers wins. */
export async function createDurably(path: string, text: string): Promise<void> {
  await write(path, text, async (draft) => {
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
}

/** Creates or replaces a file durably and atomically. */
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

/** Makes changes to the entries of a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
