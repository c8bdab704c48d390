import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const installed = resolve(import.meta.dirname, '../../node_modules/.cache/python/bin/python');

/** Python with the libraries of test/samples/requirements.txt, if `.ci/run` has installed it. */
export const python = existsSync(installed) ? installed : undefined;

/** The Go toolchain, if this machine has it. */
export const go = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin']
  .map((directory) => join(directory, 'go'))
  .find((file) => existsSync(file));
