import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { readers, servedPortal, showAs, violations, widthOf } from './support.ts';

const address = servedPortal();
const open = readers(address);
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe('the reference', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open('/docs/reference', { colorScheme: 'dark', viewport: phone });
  });
  const goTo = (fragment: string) => page.evaluate((to) => location.assign(to), fragment);

  test.each([
    ['#/', 'dark', phone],
    ['#/attachments/createattachment', 'light', wide],
    ['#/workflows/startworkflow', 'dark', wide],
  ] as const)('at %s is accessible, %s, at %o', async (fragment, colorScheme, viewport) => {
    await goTo(fragment);
    await showAs(page, colorScheme, viewport);
    await page.locator(fragment === '#/' ? '#redoc h1' : `[id="${fragment.slice(2)}"] h2`).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(viewport.width);
  });

  test('has only links within the page in its sidebar', async () => {
    const links = page.getByRole('navigation', { name: 'Operations' }).getByRole('link');
    await links.first().waitFor();
    const hrefs = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href') ?? '').filter((href) => !href.startsWith('https://')),
    );
    expect(hrefs.length).toBeGreaterThan(10);
    expect(hrefs.filter((href) => !href.startsWith('#/'))).toEqual([]);
    await links.getByText('Users', { exact: true }).click();
    await page.waitForURL('**/docs/reference#/users');
  });

  test('offers the samples of operations with and without a body, by mouse and keyboard', async () => {
    const linked = await open('/docs/reference#/users/listusers');
    const samples = (operation: string) => linked.locator(`[id="users/${operation}"] .panel-request-samples`);
    const language = (operation: string, name: string) =>
      samples(operation).getByRole('button', { name, exact: true });
    await language('listusers', 'cURL').click();
    await linked.getByRole('menuitem', { name: 'TypeScript' }).click();
    await expect.poll(() => samples('listusers').textContent()).toContain('eachUser(client)');

    // The selected language applies to all operations.
    await linked.evaluate(() => location.assign('#/users/changeuserrole'));
    await language('changeuserrole', 'TypeScript').waitFor();
    expect(await samples('changeuserrole').textContent()).toContain('client.PUT(');
    await language('changeuserrole', 'TypeScript').focus();
    const chosen = () => linked.evaluate(() => document.activeElement?.textContent);
    const press = async (key: string, reached: string) => {
      await linked.keyboard.press(key);
      await expect.poll(chosen, { message: key }).toBe(reached);
    };
    await press('Enter', 'cURL');
    expect(await violations(linked, 'body > [role=region]')).toEqual([]);
    await press('ArrowUp', 'Payload');
    await press('ArrowDown', 'cURL');
    await press('Escape', 'TypeScript');
    await press('ArrowDown', 'cURL');
    await press('Enter', 'cURL');
    await expect.poll(() => samples('changeuserrole').textContent()).toContain('curl -X PUT');
    expect(await linked.getByRole('menuitem', { name: 'TypeScript' }).count()).toBe(0);
  });

  test('has both samples of every operation', async () => {
    const definition = await page.locator('#content').getAttribute('data-definition');
    const response = await fetch(`${address()}${definition}`);
    const { definition: drawn, options } = (await response.json()) as {
      definition: { paths: Record<string, Record<string, { 'x-codeSamples'?: { label: string }[] }>> };
      options: { codeSamples: { languages: { label: string }[] } };
    };
    const offered = options.codeSamples.languages.map(({ label }) => label);
    const operations = Object.values(drawn.paths).flatMap((item) =>
      Object.entries(item).flatMap(([name, operation]) => (name === 'parameters' ? [] : [operation])),
    );
    expect(operations).toHaveLength(31);
    for (const { 'x-codeSamples': samples = [] } of operations) {
      // Redoc shows no sample whose label is not configured.
      expect(samples.map(({ label }) => label)).toEqual(offered.slice(0, 2));
    }
  });

  test('has the current operation in its title, one main heading, and one menu', async () => {
    await goTo('#/users/getuser');
    await expect.poll(() => page.title()).toMatch(/^Get a user · Reference · /);
    await goTo('#/');
    await expect.poll(() => page.title()).toMatch(/^Reference · /);
    await page.setViewportSize(phone);
    await expect.poll(() => page.locator('h1:not([aria-level="2"])').count()).toBe(1);
    await expect.poll(() => page.getByRole('button', { name: /menu/i }).count()).toBe(1);
  });

  test('shows the permission of an operation, its samples, and a link to the console', async () => {
    const linked = await open('/docs/reference#/users/reinstateuser');
    const { summary } = contract.paths['/organizations/users/{userId}/reinstate'].post;
    const heading = linked.getByRole('heading', { name: summary });
    await heading.waitFor();
    await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(900);
    const operation = linked.locator('[id="users/reinstateuser"]');
    await expect.poll(() => operation.textContent()).toContain('Permission: can_manage_users');
    const tryIt = operation.getByRole('link', { name: 'Try it in the console' });
    expect(await tryIt.getAttribute('href')).toBe('/docs/console#/users/reinstateUser');
  });
});

test('the console calls the environment that serves it, or a mock, stores no token, and is accessible', async () => {
  const { server } = await createMock(contract as unknown as Contract);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port: mockPort } = server.address() as AddressInfo;
  const page = await open('/docs/console#/users/changeUserRole', {}, [`http://127.0.0.1:${mockPort}`]);
  const servers = page.getByRole('combobox', { name: 'Server' });
  await servers.waitFor();
  expect(await servers.inputValue()).toBe(address());
  await servers.selectOption({ index: 1 });
  await page.locator('.servers input').fill(String(mockPort));

  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('#api_key_value').fill('tot_secret');
  expect(await violations(page, '.dialog-ux')).toEqual([]);
  await page.getByRole('button', { name: 'Authorize: Apply credentials' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  // Groups have the titles of the reference, also for the filter.
  await page.getByRole('textbox', { name: 'Filter by tag or path' }).fill('single-use');
  await expect.poll(() => page.locator('.opblock-tag').allTextContents()).toHaveLength(1);
  expect(await page.locator('.opblock-tag').textContent()).toMatch(/^Single-use links/);
  await page.getByRole('textbox', { name: 'Filter by tag or path' }).fill('');
  // Filled in with a user of the sandbox's demo.
  const example = contract.components.parameters.UserId.example;
  expect(await page.getByRole('textbox', { name: 'userId' }).inputValue()).toBe(example);
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect
    .poll(() => page.locator('.live-responses-table tbody .response-col_status').first().textContent())
    .toContain('200');
  expect(await page.locator('.live-responses-table').first().textContent()).toContain('ines.moreau@');
  expect(
    await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]) + document.cookie),
  ).not.toContain('tot_secret');

  // Only the last part shows the schema; the others show examples.
  await page.getByRole('tab', { name: 'Schema' }).last().click();
  expect(await violations(page)).toEqual([]);
  await showAs(page, 'dark', phone);
  expect(await violations(page), 'dark, on a phone').toEqual([]);
  expect(await widthOf(page)).toBeLessThanOrEqual(phone.width);
});
