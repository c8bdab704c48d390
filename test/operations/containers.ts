import { type ExecFileException, execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEnd, temporaryRoot } from '../support/temporary.ts';

const execute = promisify(execFile);
const directory = join(temporaryRoot(), 'podman');
/** Machines where root may not raise limits refuse Podman's defaults. */
const limits = ['--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096'];

/** Runs Podman with images and containers of its own, and without timers of systemd; returns what it prints. */
export async function podman(...args: string[]): Promise<string> {
  const storage = ['--root', join(directory, 'images'), '--runroot', join(directory, 'run')];
  // runc starts containers on machines that have both versions of control groups; crun does not.
  const globals = [...storage, '--storage-driver', 'vfs', '--runtime', 'runc'];
  const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' };
  const { stdout, stderr } = await execute('podman', [...globals, ...args], { env, maxBuffer: 2 ** 26 });
  return (args[0] === 'logs' ? stdout + stderr : stdout).trim();
}

/** Starts a container in the network of this machine. */
export const run = (...args: string[]) => podman('run', '--network', 'host', ...limits, ...args);

/**
 * Makes a stand-in for the image of Node, since a machine for tests may reach no registry of images: what this machine
 * has of Debian's packages, Node, npm, and the certificates that it trusts besides.
 *
 * @returns why this machine cannot, or cannot run containers
 */
export async function standIn(name: string): Promise<string | undefined> {
  const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;
  if (process.getuid?.() !== 0 || !mayMount) return 'it needs root, with the right to mount';
  for (const program of ['podman', 'runc', 'dpkg-query'])
    if (spawnSync(program, ['--version']).status !== 0) return `${program} is not installed`;
  const root = join(directory, 'base');
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  atEnd(() => podman('rm', '--all', '--force', '--time', '0').then(() => {}));
  const packages = 'base-files libc6 libgcc-s1 libstdc++6 libatomic1 dash coreutils';
  // Documentation may have been left out when they were installed.
  const copied = `dpkg-query --listfiles ${packages} | grep -v -e '^/\\.$' -e ^/usr/share |
    tar --create --dereference --no-recursion --files-from - | tar --extract --directory ${root}`;
  await execute('sh', ['-c', copied]);
  await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
  const npm = [
    'install',
    '--global',
    '--no-audit',
    '--no-fund',
    '--prefix',
    join(root, 'usr/local'),
    'npm@11',
  ];
  await execute('npm', npm);
  const changes = [];
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  if (certificates) {
    await copyFile(certificates, join(root, 'etc/machine.pem'));
    changes.push('--change', 'ENV NODE_EXTRA_CA_CERTS=/etc/machine.pem');
  }
  await execute('tar', ['--create', '--directory', root, '--file', `${root}.tar`, '.']);
  try {
    await podman('import', ...changes, `${root}.tar`, name);
    await run('--rm', name, 'node', '--version');
  } catch (error) {
    return `no container starts here: ${(error as ExecFileException).stderr?.trim().split('\n').at(-1)}`;
  }
  await Promise.all([root, `${root}.tar`].map((path) => rm(path, { recursive: true })));
  return undefined;
}
