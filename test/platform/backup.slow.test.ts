import { spawn } from 'node:child_process';
import { createHash, createPublicKey, randomBytes, randomInt, verify } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@wrp/client';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { filesBelow } from '../support/files.ts';
import { temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { spawnWrp } from '../support/wrp.ts';

const main = join(import.meta.dirname, '../../server/src/main.ts');
const root = await mkdtemp(join(temporaryRoot(), 'wrp-backup-'));
const at = (name: string) => join(root, name);
const backup = at('backup');
// The same for the original and the copy: links contain them.
const ports = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()) };
const urls = {
  production: `http://127.0.0.1:${ports.PORT}`,
  sandbox: `http://127.0.0.1:${ports.SANDBOX_PORT}`,
};
const budgets = { RATE_LIMIT_PER_MINUTE: '1000000', UPLOAD_RATE_LIMIT_PER_MINUTE: '1000000' };
const running = new Set<() => Promise<void>>();
afterAll(async () => {
  for (const kill of running) await kill();
});

/** Starts the platform with its own database. @returns a function that kills it */
async function start(dataDirectory: string): Promise<() => Promise<void>> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, ...ports, DATA_DIR: dataDirectory, LOG_LEVEL: 'error', ...budgets };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
    running.delete(kill);
  };
  running.add(kill);
  const ready = () =>
    fetch(`${urls.sandbox}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(ready, { timeout: scaledTimeout(60_000) });
  return kill;
}

const wrp = (dataDirectory: string, ...args: string[]) =>
  spawnWrp([...args, '--data-dir', dataDirectory], { env: { RUN_AS: process.env['RUN_AS'] } });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Demo {
  organizationToken: string;
  memberToken: string;
  caseId: string;
  definitions: Record<'wait' | 'steps', string>;
}

async function demoOf(dataDirectory: string): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDirectory, 'demo.json'), 'utf8')).sandbox;
}

/** Requests with the tokens of the demo, whose process is another one after the restore. */
function callerOf({ organizationToken, caseId, definitions }: Demo) {
  const client = createClient({ baseUrl: urls.sandbox, token: organizationToken });
  const request = async (path: string, init: RequestInit = {}) => {
    const headers = {
      Authorization: organizationToken,
      ...(init.body && { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(`${urls.sandbox}${path}`, { headers, ...init });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return response;
  };
  const post = async (path: string, body: object) =>
    (await request(path, { method: 'POST', body: JSON.stringify(body) })).json();
  return {
    client,
    request,
    async upload(bytes: Buffer<ArrayBuffer>): Promise<string> {
      const { data } = await client.POST('/resources', { body: { file: new File([bytes], 'ä.bin') } });
      return (data as { resourceId: string }).resourceId;
    },
    begin: async (name: 'wait' | 'steps'): Promise<string> =>
      (await post('/workflows', { workflowDefinitionId: definitions[name] })).id,
    statusOf: async (id: string): Promise<string> =>
      (await (await request(`/workflows/${id}`)).json()).status,
    cancel: (id: string) => request(`/workflows/${id}/cancel`, { method: 'POST' }),
    link: async (): Promise<string> =>
      (await post('/link', { caseId, workflowDefinitionId: definitions.wait })).link,
    cursor: async (): Promise<string> => (await (await request('/webhooks/events')).json()).nextCursor,
    /** The public key of the first event after a cursor, whose signature is checked. */
    async signingKey(cursor: string): Promise<string> {
      const poll = async () => (await (await request(`/webhooks/events?cursor=${cursor}`)).json()).events[0];
      const { headers, body } = await until(poll, { timeout: scaledTimeout(30_000) });
      const [header, , signature] = headers['Webhook-Signature'].split('.');
      const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
      const key = await (await request(`/auth/webhooks/key/${kid}`)).text();
      const signed = Buffer.from(`${header}.${Buffer.from(body).toString('base64url')}`);
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
      const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      expect(verify('sha256', signed, options, Buffer.from(signature, 'base64url'))).toBe(true);
      return key;
    },
  };
}

/** What the platform has acknowledged before the backup began. */
const kept: {
  uploads: Map<string, string>;
  executions: Record<'wait' | 'steps', string>;
  link: string;
  key: string;
} = {
  uploads: new Map(),
  executions: { wait: '', steps: '' },
  link: '',
  key: '',
};

test('a backup is written while the platform changes rows and files', { timeout: 400_000 }, async () => {
  const kill = await start(at('original'));
  const caller = callerOf(await demoOf(at('original')));
  const cursor = await caller.cursor();
  const uploads = new Map<string, string>();
  let stopped = false;
  const load = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      const bytes = randomBytes(randomInt(1, 200_000));
      uploads.set(await caller.upload(bytes), sha256(bytes));
      if (uploads.size % 5 === 0) await caller.begin('steps');
    }
  });
  await until(async () => uploads.size > 50, { timeout: scaledTimeout(60_000) });
  kept.executions = { wait: await caller.begin('wait'), steps: await caller.begin('steps') };
  kept.link = await caller.link();
  kept.key = await caller.signingKey(cursor);
  kept.uploads = new Map(uploads);

  const written = await wrp(at('original'), 'backup', backup, '--json');
  const during = uploads.size - kept.uploads.size;
  stopped = true;
  await Promise.all(load);
  await kill();
  expect(written).toMatchObject({ status: 0, stderr: '' });
  expect(during).toBeGreaterThan(0);
  const { environments } = JSON.parse(written.stdout);
  expect(environments.sandbox.files).toBeGreaterThanOrEqual(kept.uploads.size);
  for (const file of await filesBelow(backup)) expect((await stat(file)).mode & 0o077, file).toBe(0);
  expect((await stat(backup)).mode & 0o777).toBe(0o700);

  const stoppedPlatform = await wrp(at('original'), 'backup', at('second'));
  expect(stoppedPlatform.status, stoppedPlatform.stderr).toBe(0);
  expect(stoppedPlatform.stderr).toMatch(/contains the server key and other secrets: keep it safe\.\n$/);
  await rm(at('original'), { recursive: true });
});

test('a restore brings back everything that was acknowledged before the backup', {
  timeout: 400_000,
}, async () => {
  const restored = await wrp(at('copy'), 'restore', backup, '--json');
  expect(restored.status, restored.stderr).toBe(0);
  const verified = await wrp(at('copy'), 'blobs', 'verify', '--checksums', '--json');
  expect(verified.status, verified.stdout).toBe(0);

  await start(at('copy'));
  const demo = await demoOf(at('copy'));
  const caller = callerOf(demo);
  for (const [id, digest] of kept.uploads) {
    const response = await caller.request(`/resources/${id}`);
    expect(sha256(new Uint8Array(await response.arrayBuffer())), id).toBe(digest);
  }
  const { memberToken } = demo;
  const member = await fetch(`${urls.sandbox}/organizations/users`, {
    headers: { Authorization: memberToken },
  });
  expect(member.status).not.toBe(401);
  expect((await fetch(kept.link)).status).toBe(200);
  const cursor = await caller.cursor();
  await caller.cancel(await caller.begin('wait'));
  expect(await caller.signingKey(cursor)).toBe(kept.key);
  const { wait, steps } = kept.executions;
  await until(async () => (await caller.statusOf(steps)) === 'COMPLETED', { timeout: scaledTimeout(60_000) });
  expect(await caller.statusOf(wait)).toBe('RUNNING');
  await caller.cancel(wait);
  await until(async () => (await caller.statusOf(wait)) === 'CANCELLED');
  // Sequences and triggers continue.
  const bytes = randomBytes(10);
  const id = await caller.upload(bytes);
  expect(sha256(new Uint8Array(await (await caller.request(`/resources/${id}`)).arrayBuffer()))).toBe(
    sha256(bytes),
  );
});

describe('a restore is refused with one line, and nothing is written', () => {
  const refused = async (target: string, from: string, ...expected: RegExp[]) => {
    const { status, stdout, stderr } = await wrp(at(target), 'restore', from, '--json');
    expect([status, stdout], stderr).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    for (const pattern of expected) expect(stderr).toMatch(pattern);
  };

  test('if one byte differs, in any kind of file', { timeout: 240_000 }, async () => {
    const damaged = at('damaged');
    await cp(backup, damaged, { recursive: true });
    const blob = (await filesBelow(join(damaged, 'files'))).find((path) =>
      path.includes('/blobs/'),
    ) as string;
    const names = ['database.jsonl', 'manifest.json', 'server.key', 'SHA256SUMS'];
    for (const file of [...names.map((name) => join(damaged, name)), blob]) {
      const bytes = await readFile(file);
      const changed = Buffer.from(bytes);
      const position = Math.floor(changed.length / 2);
      changed[position] = (changed[position] as number) ^ 1;
      await writeFile(file, changed);
      await refused('target', damaged, /damaged|cannot be read/);
      await writeFile(file, bytes);
    }
    const sums = await readFile(join(damaged, 'SHA256SUMS'), 'utf8');
    await writeFile(join(damaged, 'SHA256SUMS'), sums.slice(0, sums.indexOf('\n') + 1));
    await refused('target', damaged, /not complete/);
    await rm(join(damaged, 'SHA256SUMS'));
    await refused('target', damaged, /not a complete backup/);
    await expect(stat(at('target'))).rejects.toThrow('ENOENT');
  });

  test('if the release differs', async () => {
    const other = at('other');
    await cp(at('second'), other, { recursive: true });
    const path = join(other, 'manifest.json');
    const before = await readFile(path, 'utf8');
    const after = before.replace(/"release": "[^"]+"/, '"release": "1.0.0"');
    await writeFile(path, after);
    const sums = await readFile(join(other, 'SHA256SUMS'), 'utf8');
    await writeFile(
      join(other, 'SHA256SUMS'),
      sums.replace(sha256(Buffer.from(before)), sha256(Buffer.from(after))),
    );
    await refused('target', other, /of release 1\.0\.0.+ restore it with release 1\.0\.0, then upgrade/);
  });

  test('if the target is not empty, or the key is another one', async () => {
    await refused('copy', backup, /is not empty, it has postgres/);
    const env = { SERVER_KEY: 'x'.repeat(43) };
    const otherKey = await spawnWrp(['restore', backup, '--data-dir', at('target')], { env });
    expect(otherKey).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('SERVER_KEY is not the key'),
    });
  });

  test('and a backup, if its directory is not empty', async () => {
    const { status, stderr } = await wrp(at('copy'), 'backup', backup);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^[^\n]+exists[^\n]*\n|^[^\n]+not empty[^\n]*\n$/),
    ]);
  });
});
