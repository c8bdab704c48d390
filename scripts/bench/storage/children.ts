import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Running } from '../../command-line/section.ts';
import { type Child, startChild } from '../child.ts';
import type { About, PlatformRequest } from './platform.ts';

export interface Storage {
  /** Takes a `PlatformRequest`. */
  platform: Child;
  /** Takes an `ExpressRequest`. */
  express: Child;
  about: About;
}

/**
 * Runs the platform, and the server written by hand on its database, while `measure` runs.
 *
 * @param kept the platform's data directory, which is not deleted; default: a temporary one
 */
export async function withStorage<Results>(
  { progress, signal }: Running,
  measure: (storage: Storage) => Promise<Results>,
  kept?: string,
): Promise<Results> {
  const directory = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'wrp-bench-storage-'));
  const children: Child[] = [];
  const start = async (name: string, args: string[]) => {
    const env = { NODE_ENV: 'production' };
    const child = await startChild(new URL(`${name}.ts`, import.meta.url), { args, env, signal });
    children.unshift(child);
    return child;
  };
  try {
    progress('starting the platform');
    const platform = await start('platform', [directory]);
    const about = await platform.request<About>({ kind: 'about' } satisfies PlatformRequest);
    return await measure({ platform, express: await start('express', [about.connection]), about });
  } finally {
    for (const child of children) await child.stop();
    if (!kept) await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
