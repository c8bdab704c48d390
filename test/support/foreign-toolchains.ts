import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const installed = resolve(import.meta.dirname, '../../node_modules/.cache/python/bin/python');

/** Python with the libraries of test/samples/requirements.txt, if `.ci/run` has installed it. */
export const python = existsSync(installed) ? installed : undefined;

/** The Node of this machine, if it is one that starts the platform with the Node of npm. */
export const olderNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((directory) => !directory.includes('node_modules'))
  .map((directory) => join(directory, 'node'))
  .filter((file) => existsSync(file))
  .slice(0, 1)
  .find((file) => Number(execFileSync(file, ['-p', 'process.versions.node.split(".")[0]'])) < 24);

/** The Go toolchain, if this machine has it. */
export const go = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin']
  .map((directory) => join(directory, 'go'))
  .find((file) => existsSync(file));
