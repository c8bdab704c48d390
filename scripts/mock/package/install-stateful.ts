import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CommandError } from '../../command-line/command.ts';
import type { StatefulMode } from './stateful-mode.ts';

/** Of the folder that this package is installed in. */
const modules = fileURLToPath(new URL('../../../../', import.meta.url));
const name = '@wrp/mock-stateful';

/** The first with `duplexPair` of `node:stream`. */
const oldestNode = [20, 17] as const;

/**
 * The package with the stateful mode, if it is installed beside this one.
 *
 * @throws {CommandError} if this Node is too old for it, or on Windows
 */
export async function installedStateful(): Promise<StatefulMode | undefined> {
  if (process.platform === 'win32')
    throw new CommandError('The stateful mode does not run on Windows: start it in WSL or in a container.');
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]))
    throw new CommandError(
      `The stateful mode needs Node ${oldestNode.join('.')} or later; this is ${process.version}.`,
    );
  try {
    return await import(name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(name)) return undefined;
    throw error;
  }
}

/**
 * The package with the stateful mode, which npm installs into its cache at the first use: from where this package came.
 *
 * @throws {CommandError} if that is unknown, or npm fails
 */
export async function installStateful(): Promise<StatefulMode> {
  const installed = await installedStateful();
  if (installed) return installed;
  const tarball = await besideThis();
  console.error('loading the stateful mode …');
  const npm = process.env['npm_execpath'];
  const [file, ...before] = npm ? [process.execPath, npm.replace(/npx-cli\.js$/, 'npm-cli.js')] : ['npm'];
  const args = [...before, 'exec', '--yes', `--package=${tarball}`, '--', 'wrp-mock-stateful'];
  const { stdout } = await promisify(execFile)(file, args).catch(({ stderr, message }) => {
    const reason = /npm error (?!code)(.*)/.exec(stderr)?.[1] ?? message;
    throw new CommandError(`The stateful mode cannot be installed from ${tarball}: ${reason}`);
  });
  return import(stdout.trim());
}

/** The tarball of the stateful mode. */
async function besideThis(): Promise<string> {
  const text = await readFile(`${modules}.package-lock.json`, 'utf8').catch(() => '{}');
  const { packages = {} } = JSON.parse(text);
  const { resolved = '' } = packages['node_modules/@wrp/mock'] ?? {};
  const tarball = String(resolved).replace(/wrp-mock-(?=[^/]*\.tgz$)/, 'wrp-mock-stateful-');
  if (tarball === resolved)
    throw new CommandError(
      'Install wrp-mock-stateful beside this package: its tarball is in the same folder of the platform.',
    );
  if (!tarball.startsWith('file:')) return tarball;
  const file = resolve(modules, '..', tarball.slice('file:'.length));
  if (!existsSync(file))
    throw new CommandError(
      `The stateful mode is another package: download /docs/${basename(file)} of the platform to ${dirname(file)}, beside the mock.`,
    );
  return file;
}
