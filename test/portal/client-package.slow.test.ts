import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildClient, packPackage } from '../../scripts/client/package.ts';
import { requestsTo, servedPortal } from './support.ts';

const get = requestsTo(servedPortal());

test('the portal serves the client as npm packs it', async () => {
  const page = await (await get('/docs/downloads.md')).text();
  const [, path = ''] = /^npm install "\$WRP_BASE_URL(\/docs\/[\w.-]+\.tgz)"$/m.exec(page) ?? [];
  const served = await get(path);
  expect(served.headers.get('Content-Type')).toBe('application/gzip');
  // Read now: the server closes a connection that is idle during the build.
  const bytes = Buffer.from(await served.arrayBuffer());
  const directory = await mkdtemp(join(tmpdir(), 'wrp-packed-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await buildClient(join(directory, 'package'));
  const packed = await packPackage(join(directory, 'package'));
  expect(path).toBe(`/docs/${basename(packed)}`);
  expect(bytes.equals(await readFile(packed))).toBe(true);
});
