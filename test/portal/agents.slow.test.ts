import { execFile } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import express from 'express';
import { afterAll, describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { buildPortal } from '../../scripts/portal/main.ts';
import { contractDocuments } from '../../server/src/pages/contract-documents.ts';
import { openedPortal, portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { programs } from '../support/programs.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { readers } from './support.ts';

const afdocs = join(dirname((await programs()).resolve('afdocs')), '../bin/afdocs.mjs');

/** The only check that cannot run here: it looks for ways around a sign-in. */
const skipped =
  'auth-alternative-access: skip: All docs pages are publicly accessible; no alternative access paths needed';

const site = await openPortalSite(await buildPortal());
let listener: RequestListener = () => {};
const server = createServer((request, response) => listener(request, response));
// As the platform's: the checks compute for seconds between requests.
server.keepAliveTimeout = 65_000;
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
afterAll(() => void server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
// One environment, as the mock has: its links do not lead to another origin.
const addresses = { environment: 'production' as const, baseUrls: { production: address, sandbox: address } };
listener = express()
  .disable('etag')
  .use(contractDocuments(contract, addresses))
  .use(portal(openedPortal(async () => site, addresses)))
  .use((_request, response) => void response.status(404).json({ errors: [] }));

describe('the portal for agents', () => {
  test(
    'passes the checks of the Agent-Friendly Documentation Spec',
    async () => {
      const options = ['--format', 'json', '--sampling', 'deterministic', '--max-links', '1000', '--quiet'];
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [afdocs, 'check', `${address}/docs`, ...options, '--request-delay', '0'],
        { maxBuffer: 64 * 2 ** 20 },
      ).catch((error: { stdout: string }) => error);
      const results: { id: string; status: string; message: string }[] = JSON.parse(stdout).results;
      expect(results.length).toBeGreaterThanOrEqual(22);
      const others = results.filter(({ status }) => status !== 'pass');
      expect(others.map(({ id, status, message }) => `${id}: ${status}: ${message}`)).toEqual([skipped]);
    },
    scaledTimeout(120_000),
  );
});

describe('the menu of a page', () => {
  const open = readers(() => address);

  test('copies the Markdown, the link and the MCP address, by keyboard, on 390 pixels', async () => {
    const page = await open('/docs/errors', {
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 390, height: 800 },
    });
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.locator('.page-menu summary').focus();
    await page.keyboard.press('Enter');
    const pressed = async (name: string) => {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.page-menu [role=status]', { hasText: 'Copied' }).waitFor();
    };
    await pressed('Copy as Markdown');
    await expect.poll(clipboard).toBe(await (await fetch(`${address}/docs/errors.md`)).text());
    await pressed('Copy link for agents');
    await expect.poll(clipboard).toBe(`${address}/docs/errors.md`);
    await page.getByRole('button', { name: 'Copy MCP address' }).click();
    await expect.poll(clipboard).toBe(`${address}/mcp`);
    const box = await page.locator('.page-menu > div').boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.locator('.page-menu').getAttribute('open')).toBeNull();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SUMMARY');
  });
});
