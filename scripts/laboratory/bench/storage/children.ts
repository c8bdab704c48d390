import { resolve } from 'node:path';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import type { Running } from '../../section.ts';
import { type Child, type Functions, startChild } from '../child.ts';
import type { ExpressFunctions } from './express.ts';
import type { PlatformFunctions } from './platform.ts';

export interface Storage {
  platform: Child<PlatformFunctions>;
  express: Child<ExpressFunctions>;
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
  await using temporary = kept ? undefined : await temporaryDirectory('bench-storage');
  const directory = temporary?.path ?? resolve(kept ?? '');
  const env = { NODE_ENV: 'production' };
  const start = <Callable extends Functions>(name: string, args: string[]) =>
    startChild<Callable>(new URL(`${name}.ts`, import.meta.url), { args, env, signal });
  progress('starting the platform');
  await using platform = await start<PlatformFunctions>('platform', [directory]);
  const { connection } = await platform.call('about');
  await using express = await start<ExpressFunctions>('express', [connection]);
  return await measure({ platform, express });
}
