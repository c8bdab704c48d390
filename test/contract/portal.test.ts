import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildPortal, portalPolicy } from '../../scripts/portal.ts';
import { launchBrowser } from '../support/browser.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const html = await readFile(await buildPortal(), 'utf8');
const server = createServer((request, response) => {
  if (request.url !== '/docs') return response.writeHead(404).end();
  const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': portalPolicy(html) };
  return response.writeHead(200, headers).end(html);
});

let browser: Browser;
let page: Page;
let address: string;
let requested: string[];
let complaints: string[];

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  server.close();
});

beforeEach(async () => {
  requested = [];
  complaints = [];
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // Also what the policy blocks is reported here, or as a complaint of the console.
  await page.route('**', (route) => {
    requested.push(route.request().url());
    return route.request().url() === address ? route.continue() : route.abort();
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
});

afterEach(async () => {
  await page.close();
  expect(complaints, 'what the console complained about').toEqual([]);
  expect(
    requested.filter((url) => !url.startsWith('data:')),
    'requests beside the page',
  ).toEqual([address]);
});

test('shows the introduction and every guide and resource', async () => {
  expect(await page.title()).toBe(contract.info.title);
  expect(await page.getByRole('heading', { level: 1 }).first().textContent()).toContain(
    contract.info.version,
  );
  const text = await page.locator('#redoc').textContent();
  for (const tag of contract.tags) expect(text).toContain(tag['x-displayName'] ?? tag.name);
});

test('finds an operation and goes to it', async () => {
  const { summary, description } = contract.paths['/organizations/users/{userId}/terminate'].post;
  await page.keyboard.press('Control+k');
  await page.keyboard.type('terminate');
  await page.getByText(summary, { exact: true }).last().click();
  await page.getByRole('heading', { name: summary }).waitFor();
  expect(page.url()).toContain('terminateuser');
  const [firstWords] = description.split(/[.:]/);
  expect(await page.locator('#redoc').textContent()).toContain(firstWords);
});

test('opens at an operation that a link names', async () => {
  await page.goto(`${address}#/users/reinstateuser`);
  const { summary } = contract.paths['/organizations/users/{userId}/reinstate'].post;
  await page.reload();
  // The same page a second time.
  requested.splice(1);
  const heading = page.getByRole('heading', { name: summary });
  await heading.waitFor();
  await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(900);
});

test('fits a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Open navigation menu' }).click();
  await page.getByText('Quick start').first().click();
  await page.getByRole('heading', { name: 'Quick start' }).waitFor();
  await expect.poll(width).toBeLessThanOrEqual(390);
});

test('is built once for the same contract', async () => {
  expect(await buildPortal()).toBe(await buildPortal());
});
