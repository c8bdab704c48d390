import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleFrontend } from '../../scripts/mock/example-frontend.ts';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { mockUsers } from '../../scripts/mock/stateful/mock-users.ts';
import { api as startApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { served, theBundle } from './support.ts';

/** The directory for screenshots of the page, if wanted. */
const pictures = process.env['WRP_TEST_PICTURES'];
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const platform = await startApi({ clock: 'running' });
const { world } = platform;
for (let count = 0; count < 12; count += 1) await platform.given.user({ organization: world.organization });
const mock = await exampleMock(await theBundle(), exampleFrontend);
const mockUrl = await served(mock.listener);
const frontend = `${mockUrl}/__mock/frontend/`;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The page, and the errors of its console. */
async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(scaledTimeout(30_000));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Browsers log every 404 as an error.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(frontend);
  return { page, complaints };
}

async function askToConnect(page: Page, baseUrl: string, token: string): Promise<void> {
  await page.getByLabel('Address of the API').fill(baseUrl);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Connect' }).click();
}

async function connect(page: Page, baseUrl: string, token: string): Promise<void> {
  await askToConnect(page, baseUrl, token);
  await page.getByText(`Connected to ${baseUrl}`).waitFor();
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `frontend-${name}.png`), fullPage: true });
}

test('a test with Playwright selects a state of the mock as the guide shows', async () => {
  const { page } = await open();
  await page.route('**/organizations/users?*', (route) =>
    route.continue({ headers: { ...route.request().headers(), prefer: 'code=503' } }),
  );
  const refused = page.waitForResponse((response) => response.status() === 503);
  await askToConnect(page, mockUrl, 'any');
  expect(new URL((await refused).url()).pathname).toBe('/organizations/users');
});

const targets = [
  {
    name: 'the mock',
    baseUrl: mockUrl,
    token: 'any',
    definition: undefined,
    record: undefined,
    pages: 'Page 1 of 7, 64 users',
    file: 'bumper.jpg',
    result: '"claimNumber": "2026-0147"',
  },
  {
    name: 'the platform',
    baseUrl: platform.baseUrl,
    token: world.owner.token,
    definition: world.workflowDefinition.id,
    record: { table: world.table.id, record: world.record.id },
    pages: 'Page 1 of 2, 16 users',
    file: 'report.txt',
    result: '"claimNumber": "2026-0147"',
  },
];

describe.each(targets)('the example frontend against $name', (target) => {
  test('lists users, runs a workflow, moves files and shows a failure', async () => {
    const { page, complaints } = await open({ acceptDownloads: true });
    if (target.record) {
      await page.getByLabel('Table', { exact: true }).fill(target.record.table);
      await page.getByLabel('Record', { exact: true }).fill(target.record.record);
    }
    await connect(page, target.baseUrl, target.token);
    await page.getByText(target.pages).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('table').locator('tbody tr').first().waitFor();

    if (target.definition) await page.getByLabel('Workflow definition').fill(target.definition);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText(/: COMPLETED$/).waitFor();
    await expect.poll(() => page.getByLabel('Result').textContent()).toContain(target.result);

    const upload = { name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('All is well.') };
    await page.getByLabel('File', { exact: true }).setInputFiles(upload);
    await page.getByRole('button', { name: 'Upload' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${target.file}` }).click();
    expect((await downloading).suggestedFilename()).toBe(target.file);
    await page.getByText(`Downloaded ${target.file}`).waitFor();

    await page.getByRole('button', { name: 'Ask for a user that does not exist' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('user_not_found').waitFor();
    expect(await alert.textContent()).toMatch(/Status 404, fingerprint [0-9a-f-]{36}/);
    await picture(page, target.name.replace(' ', '-'));
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    expect(await alert.textContent()).toBe('');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

test.each(['light', 'dark'] as const)(
  'the example frontend is accessible, %s and on a phone',
  async (colorScheme) => {
    const { page } = await open({ colorScheme, viewport: { width: 390, height: 844 } });
    await connect(page, mockUrl, 'any');
    await page.getByRole('button', { name: 'Ask for a user that does not exist' }).click();
    await page.getByRole('alert').getByText('user_not_found').waitFor();
    await page.evaluate(axe);
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, 'nothing is wider than the screen').toBeLessThanOrEqual(0);
    await picture(page, `phone-${colorScheme}`);
    await page.context().close();
  },
);

test('the example frontend shows why it cannot connect: a wrong token, a URL without a server', async () => {
  const { page } = await open();
  await page.getByLabel('Address of the API').fill(platform.baseUrl);
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText('credentials_invalid').waitFor();
  await page.getByLabel('Address of the API').fill('http://127.0.0.1:9');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('alert').getByText('credentials_invalid').waitFor({ state: 'detached' });
  const message = () => page.getByRole('alert').textContent();
  await expect.poll(message).not.toBe('');
  await page.context().close();
});

test('the platform rejects the credentials that a mock with state accepts', async () => {
  const credentials = [
    'anything',
    'Bearer made.up.token',
    ...Object.values(mockUsers).map(({ token }) => token),
  ];
  for (const authorization of credentials) {
    const response = await fetch(`${platform.baseUrl}/organizations/roles`, {
      headers: { Authorization: authorization },
    });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { errors: [{ code: 'credentials_invalid' }] },
    ]);
  }
});
