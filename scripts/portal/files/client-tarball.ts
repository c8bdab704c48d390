import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SiteFile } from '../site-files.ts';

/**
 * The packed client, to be installed from the portal's URL.
 *
 * @returns undefined if the compiler or npm, which production may leave out, is not installed
 */
export async function clientTarball(): Promise<SiteFile | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-tarball-'));
  try {
    const { buildClient, packClient } = await import('../../client/package.ts');
    await buildClient(join(directory, 'package'));
    const tarball = await packClient(join(directory, 'package'));
    return {
      path: `/docs/${basename(tarball)}`,
      type: 'application/gzip',
      body: await readFile(tarball),
    };
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' || (code === 'ENOENT' && path === 'npm')) return undefined;
    throw error;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
