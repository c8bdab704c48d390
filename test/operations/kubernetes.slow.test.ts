import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';

// What the manifests say is compared with the settings in examples.test.ts; here, whether Kubernetes would read them.
const hasGo = spawnSync('go', ['version']).status === 0;
const manifests = resolve('server/operations/kubernetes.yaml');
const decode = (file: string) =>
  promisify(execFile)('go', ['run', '.', file], { cwd: join(import.meta.dirname, 'kubernetes') });

test.skipIf(!hasGo)(
  'the manifests have only fields and kinds of Kubernetes',
  async () => {
    const { stdout } = await decode(manifests);
    const documents = (await readFile(manifests, 'utf8')).match(/^kind: /gm);
    expect(stdout.trim().split('\n')).toHaveLength(documents?.length ?? 0);

    const misspelt = join(await mkdtemp(join(temporaryRoot(), 'kubernetes-')), 'misspelt.yaml');
    await writeFile(
      misspelt,
      (await readFile(manifests, 'utf8')).replace('readinessProbe:', 'readynessProbe:'),
    );
    await expect(decode(misspelt)).rejects.toThrow('unknown field "readynessProbe"');
  },
  // The types of Kubernetes are downloaded and compiled once.
  scaledTimeout(300_000),
);
