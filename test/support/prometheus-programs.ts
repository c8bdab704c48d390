import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

const installed = resolve(import.meta.dirname, '../../node_modules/.cache/prometheus/usr/bin');

/** A program of Prometheus, if `.ci/run` has unpacked it or the machine has it. */
const found = (name: string) =>
  [installed, ...(process.env['PATH'] ?? '').split(delimiter)]
    .map((directory) => join(directory, name))
    .find((file) => existsSync(file));

/** The checker of rules. */
export const promtool = found('promtool');
export const prometheus = found('prometheus');
