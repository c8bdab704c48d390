import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Gauge, type Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { environmentNames } from '../config.ts';
import { type Obstacle, parts } from '../pages/health.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Adds what runs: `wrp_build_info`.
 *
 * @param commit default: that of the clone, `unknown` without one
 */
export async function exportBuild(registry: Registry, commit?: string): Promise<void> {
  const build = new Gauge({
    name: 'wrp_build_info',
    help: 'Always 1; its labels say what runs: the version and commit of the platform, and the version of Node.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
  });
  build.set(
    { version: manifest.version, commit: commit ?? (await commitOfClone()), node: process.versions.node },
    1,
  );
}

/** Naming the repository skips the check of its owner, who need not be the account that runs the platform. */
async function commitOfClone(): Promise<string> {
  const git = promisify(execFile)('git', [`--git-dir=${join(root, '.git')}`, 'rev-parse', 'HEAD']);
  return git.then(({ stdout }) => stdout.trim()).catch(() => 'unknown');
}

/**
 * Adds whether the process is ready. All parts are 0 until they have been checked.
 *
 * @returns a function that updates it
 */
export function exportReadiness(registry: Registry): (obstacles: readonly Obstacle[]) => void {
  const ready = new Gauge({
    name: 'wrp_ready',
    help: 'Whether /readyz of this process is 200.',
    registers: [registry],
  });
  const partReady = new Gauge({
    name: 'wrp_part_ready',
    help: 'Whether this process can use a part: database, disk (of the database), blob_store, job_queue.',
    labelNames: ['environment', 'part'],
    registers: [registry],
  });
  const set = (value: (environment: string, part: string) => number) => {
    for (const environment of environmentNames)
      for (const part of parts) partReady.set({ environment, part }, value(environment, part));
  };
  set(() => 0);
  return (obstacles) => {
    ready.set(obstacles.length === 0 ? 1 : 0);
    // A process that starts or stops does not check its parts.
    if (obstacles.some(({ part }) => part === undefined)) return;
    const away = new Set(obstacles.map(({ environment, part }) => `${environment} ${part}`));
    set((environment, part) => (away.has(`${environment} ${part}`) ? 0 : 1));
  };
}
