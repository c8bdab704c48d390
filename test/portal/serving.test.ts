import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { buildClient, packClient } from '../../scripts/client-package.ts';
import { downloadsText } from '../../scripts/portal/downloads.ts';
import { buildPortal, findPortal } from '../../scripts/portal.ts';
import { servedPortal } from './support.ts';

const address = servedPortal({ consoleBaseUrl: 'https://sandbox.example.com' });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${address()}${path}`, { headers, redirect: 'manual' });

describe('the portal', () => {
  test('is built once for the same sources', async () => {
    const directory = await buildPortal();
    expect(await buildPortal()).toBe(directory);
    expect(await findPortal()).toBe(directory);
  });

  test('is sent small, and not again while it is the same', async () => {
    const first = await get('/docs/quick-start', { 'Accept-Encoding': 'gzip, deflate, br' });
    expect(first.headers.get('Content-Encoding')).toBe('br');
    expect(Number(first.headers.get('Content-Length'))).toBeLessThan(20_000);
    const etag = first.headers.get('ETag') ?? '';
    // Without it, fetch would ask for a fresh copy.
    const kept = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    expect((await get('/docs/quick-start', kept)).status).toBe(304);
    const plain = await get('/docs/quick-start', { 'Accept-Encoding': 'identity' });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await plain.text()).toBe(await first.text());
  });

  test('loads scripts and styles under addresses that change with them, to be kept for a year', async () => {
    const page = await (await get('/docs')).text();
    const assets = [...page.matchAll(/(?:src|href)="(\/docs\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets) {
      const answer = await get(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('Cache-Control')).toContain('immutable');
    }
  });

  test('runs only scripts of its own', async () => {
    for (const path of ['/docs', '/docs/reference', '/docs/changelog']) {
      const policy = (await get(path)).headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain(`default-src 'none'`);
      expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
    }
  });

  test('sends whoever wants to try it to the sandbox', async () => {
    const { status, headers } = await get('/docs/console');
    expect(status).toBe(302);
    expect(headers.get('Location')).toBe('https://sandbox.example.com/docs/console');
  });

  test('offers the client to be installed, as npm packs it', async () => {
    const page = await (await get('/docs/downloads.md')).text();
    const [, path = ''] = /^npm install "\$BASE_URL(\/docs\/[\w.-]+\.tgz)"$/m.exec(page) ?? [];
    const served = await get(path);
    expect(served.headers.get('Content-Type')).toBe('application/gzip');
    const directory = await mkdtemp(join(tmpdir(), 'wrp-packed-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await buildClient(join(directory, 'package'));
    const packed = await packClient(join(directory, 'package'));
    expect(path).toBe(`/docs/${basename(packed)}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(await readFile(packed))).toBe(true);
  });

  test('says where the client is, where it could not be packed', () => {
    expect(downloadsText('3.0.0', undefined)).toMatch(/client:pack/);
    expect(downloadsText('3.0.0', undefined)).not.toMatch(/npm install|undefined/);
  });

  test('shows people a page where there is none, and leaves programs to the platform', async () => {
    const page = await get('/docs/nothing', { Accept: 'text/html' });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('There is no such page');
    expect(await (await get('/docs/nothing', { Accept: 'application/json' })).json()).toEqual({ errors: [] });
  });
});

describe('for programs', () => {
  const text = async (path: string) => {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };

  test('every page is there as Markdown, and llms.txt leads to each', async () => {
    const llms = await text('/llms.txt');
    expect(llms).toMatch(/^# .+\n\n> .+/);
    const links = [...llms.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path);
    const named = contract.tags
      .map(({ name }) => name)
      .filter((name) => links.some((link) => link.endsWith(`/${name}.md`)));
    expect(named).toEqual(contract.tags.map(({ name }) => name));
    for (const path of links.filter((link) => link.startsWith('/docs'))) {
      expect(await text(path), path).toMatch(/^# /);
    }
    expect(await text('/llms-full.txt')).toContain('`POST /organizations/users/{userId}/reinstate`');
  });

  test('the Markdown of an operation has its permission, parameters, fields, codes and samples', async () => {
    const users = await text('/docs/reference/users.md');
    const [, reinstate = ''] = users.split('## Reinstate a terminated user');
    for (const part of [
      '**Permission:** `can_manage_users`',
      '| `userId` | path | string (uuid)',
      '| `roleId` |',
      '`user_not_terminated`',
      '| `profile.firstName` |',
      '```ts\n',
      '```sh\n',
    ]) {
      expect(reinstate).toContain(part);
    }
  });
});
