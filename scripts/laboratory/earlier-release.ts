import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const project = join(import.meta.dirname, '../..');
const git = (...args: string[]) =>
  promisify(execFile)('git', args, { cwd: project }).then(({ stdout }) => stdout.trim());
const latest = (path: string) => git('log', '-1', '--format=%H', '--diff-filter=A', '--', path);

/**
 * Writes the latest release, with links to this version's packages: an installation of its own would take minutes, and
 * packages hardly differ.
 *
 * @param options.beforeMigration the version before the latest migration, if that is older than the release
 * @returns its directory and commit; undefined if the clone has no history
 */
export async function earlierRelease(
  directory: string,
  { beforeMigration = false } = {},
): Promise<{ directory: string; commit: string } | undefined> {
  const archive = `${directory}.tar`;
  let commit: string;
  try {
    commit = await latest('spec/releases/[0-9]*.json');
    if (beforeMigration) {
      const migration = await latest('server/src/store/migrations');
      if (await isAncestor(migration, commit)) commit = await git('rev-parse', `${migration}^`);
    }
    const folders = ['package.json', 'spec', 'generated', 'server', 'client', 'scripts'];
    await git('archive', '--output', archive, commit, ...folders);
  } catch {
    return undefined;
  }
  await mkdir(directory);
  await promisify(execFile)('tar', ['-xf', archive, '-C', directory]);
  await rm(archive);
  for (const packages of ['node_modules', 'server/node_modules'])
    if (existsSync(join(project, packages)))
      await symlink(join(project, packages), join(directory, packages));
  return { directory, commit };
}

async function isAncestor(commit: string, of: string): Promise<boolean> {
  return git('merge-base', '--is-ancestor', commit, of).then(
    () => true,
    () => false,
  );
}
