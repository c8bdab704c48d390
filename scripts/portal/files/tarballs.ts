import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SiteFile } from '../site-files.ts';

/** The packed client, to be installed from the portal's URL; undefined like `mockTarball`. */
export const clientTarball = (): Promise<SiteFile | undefined> =>
  packed(async (directory) => {
    const { buildClient, packPackage } = await import('../../client/package.ts');
    await buildClient(directory);
    return packPackage(directory);
  });

/**
 * The packed mock, to be run from the portal's URL.
 *
 * @returns undefined if the compiler, the bundler or npm, which production may leave out, is not installed
 */
export const mockTarball = (): Promise<SiteFile | undefined> =>
  packed(async (directory) => {
    const { buildMock } = await import('../../mock/package/build.ts');
    const { packPackage } = await import('../../client/package.ts');
    await buildMock(directory);
    return packPackage(directory);
  });

/** What the packed mock installs for `--stateful`; undefined like `mockTarball`. */
export const statefulMockTarball = (): Promise<SiteFile | undefined> =>
  packed(async (directory) => {
    const { buildStatefulMock } = await import('../../mock/package/build.ts');
    const { packPackage } = await import('../../client/package.ts');
    await buildStatefulMock(directory);
    return packPackage(directory);
  });

async function packed(pack: (directory: string) => Promise<string>): Promise<SiteFile | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-tarball-'));
  try {
    const tarball = await pack(join(directory, 'package'));
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
