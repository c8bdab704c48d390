import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A copy of the project to change freely: sources are copied, packages are linked. */
export type ProjectCopy = {
  /** The copy's directory, as a path and as a URL. */
  directory: string;
  root: URL;
  read(file: string): Promise<string>;
  /** Saves like an editor: in place, or by writing another file and renaming it. */
  save(file: string, text: string, how?: 'in place' | 'by renaming'): Promise<void>;
  /** Reads, changes and saves. @throws if nothing changes */
  edit(file: string, change: (text: string) => string, how?: 'in place' | 'by renaming'): Promise<void>;
  /** Deletes a file of the copy. */
  discard(file: string): Promise<void>;
  /** Deletes the copy. */
  remove(): Promise<void>;
};

const source = fileURLToPath(new URL('../../', import.meta.url));
const copied = [
  ...['spec', 'generated', 'scripts', 'server', 'client', 'test'],
  ...['package.json', 'LICENSE', 'redocly.yaml', 'tsconfig.base.json', 'biome.json'],
];

/** A copy of what the tools of the contract need, or with `whole` a clone as it is now, in which every command runs. */
export async function copyProject({ whole = false } = {}): Promise<ProjectCopy> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-design-'));
  if (whole) await copyClone(directory);
  else {
    await Promise.all(
      copied.map((name) =>
        cp(join(source, name), join(directory, name), {
          recursive: true,
          filter: (path) => !relative(source, path).includes('node_modules'),
        }),
      ),
    );
    await linkPackages(directory);
  }
  const save: ProjectCopy['save'] = async (file, text, how = 'in place') => {
    const path = join(directory, file);
    if (how === 'in place') return writeFile(path, text);
    const temporary = `${path}~`;
    await writeFile(temporary, text);
    await rename(temporary, path);
  };
  const read = (file: string) => readFile(join(directory, file), 'utf8');
  return {
    directory,
    root: pathToFileURL(`${directory}/`),
    read,
    save,
    async edit(file, change, how) {
      const before = await read(file);
      const after = change(before);
      if (after === before) throw new Error(`The edit changes nothing in ${file}: adapt it to the contract.`);
      await save(file, after, how);
    },
    discard: (file) => rm(join(directory, file)),
    remove: () => rm(directory, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Copies what Git does not ignore, and the packages: commands of the copy may install others. Its first commit has all. */
async function copyClone(directory: string): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: directory, maxBuffer: 1 << 26 });
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: source,
    maxBuffer: 1 << 26,
  });
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(source, file)));
  for (const file of files) await cp(join(source, file), join(directory, file));
  for (const folder of ['', 'client/', 'server/', 'scripts/', 'test/']) {
    const packages = `${folder}node_modules`;
    if (existsSync(join(source, packages)))
      await cp(join(source, packages), join(directory, packages), {
        recursive: true,
        verbatimSymlinks: true,
      });
  }
  await git('init', '--quiet');
  await git('add', '--all');
  await git(
    '-c',
    'user.name=Copy',
    '-c',
    'user.email=copy@localhost',
    'commit',
    '--quiet',
    '-m',
    'As copied',
  );
}

/** Links each package separately: caches and workspaces belong to the copy. */
async function linkPackages(directory: string): Promise<void> {
  const packages = join(directory, 'node_modules');
  await mkdir(join(packages, '@wrp'), { recursive: true });
  const names = (await readdir(join(source, 'node_modules'))).filter(
    (name) => !/^\.cache$|^@wrp$/.test(name),
  );
  await Promise.all(names.map((name) => symlink(join(source, 'node_modules', name), join(packages, name))));
  for (const name of ['client', 'server', 'scripts'])
    await symlink(join(directory, name), join(packages, '@wrp', name));
  // What a workspace has in another version than the others.
  for (const name of ['client', 'server', 'scripts', 'test'].map(
    (workspace) => `${workspace}/node_modules`,
  )) {
    if (existsSync(join(source, name))) await symlink(join(source, name), join(directory, name));
  }
}
