import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { readers, servedPortal, showAs, violations, widthOf } from './support.ts';

const address = servedPortal();
const open = readers(address);
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe('the reference', () => {
  const section = (page: Page, operationId: string) =>
    page.locator('section.operation').filter({ has: page.locator(`#${operationId}`) });
  const sample = (page: Page, operationId: string) =>
    section(page, operationId).getByRole('group', { name: 'Sample' });

  test.each([wide, phone])('shows the heading of a linked operation at the top, at %o', async (viewport) => {
    const page = await open('/docs/reference/users#reinstateUser', { viewport });
    const top = async () =>
      (await page.getByRole('heading', { name: 'Reinstate a terminated user' }).boundingBox())?.y;
    await expect.poll(top).toBeLessThan(90);
    await expect.poll(top).toBeGreaterThan(56);
    if (viewport === wide)
      await page.locator('.side [aria-current=location]', { hasText: 'Reinstate' }).waitFor();
  });

  test('offers samples by mouse and keyboard without scripts', async () => {
    const page = await open('/docs/reference/users', { javaScriptEnabled: false });
    const shown = sample(page, 'listUsers');
    expect(await shown.innerText()).toContain('curl');
    await shown.getByText('TypeScript', { exact: true }).click();
    expect(await shown.innerText()).toContain('eachUser(client)');
    await page.keyboard.press('ArrowLeft');
    expect(await shown.innerText()).toContain('curl');
    expect(await page.locator('form.token').isVisible()).toBe(false);
  });

  test('remembers the language of samples on every page', async () => {
    const page = await open('/docs/reference/users');
    await sample(page, 'listUsers').getByText('TypeScript', { exact: true }).click();
    expect(await sample(page, 'reinstateUser').innerText()).toContain('client.POST(');
    await page.goto(`${address()}/docs/reference/workflows`);
    expect(await sample(page, 'startWorkflow').innerText()).toContain('createClient(');
  });

  test('fills the token into all samples, and the console uses it', async () => {
    const page = await open('/docs/reference');
    await page.getByRole('textbox', { name: 'Your token' }).fill('tot_mine');
    await page.goto(`${address()}/docs/reference/users`);
    const shown = sample(page, 'reinstateUser');
    expect(await shown.innerText()).toContain('"Authorization: tot_mine"');
    await shown.getByText('TypeScript', { exact: true }).click();
    expect(await shown.innerText()).toContain('token: "tot_mine" }');
    await page.getByRole('textbox', { name: 'Your token' }).fill('');
    expect(await shown.innerText()).toContain('token: process.env.TOKEN! }');
  });

  test.each([wide, phone])(
    'shows the copy buttons beside the labels, not over the code, at %o',
    async (viewport) => {
      const page = await open('/docs/reference/users', { viewport });
      const covered = await page.locator('.code:visible').evaluateAll((blocks) => {
        const overlap = (one: DOMRect, other: DOMRect) =>
          one.right > other.left &&
          one.left < other.right &&
          one.bottom > other.top &&
          one.top < other.bottom;
        return blocks.filter((block) => {
          const button = block.querySelector('.copy')?.getBoundingClientRect() ?? new DOMRect();
          const others = [
            ...block.querySelectorAll('pre'),
            ...block.querySelectorAll('.bar > strong, .bar > span, label'),
          ];
          return others.some((other) => other && overlap(button, other.getBoundingClientRect()));
        }).length;
      });
      expect(covered).toBe(0);
    },
  );

  test('is also one page of Redoc, with every language of samples', async () => {
    const page = await open('/docs/redoc#/users/listusers');
    expect(await page.title()).toContain(contract.info.title);
    const shown = page.locator('[id="users/listusers"] .panel-request-samples');
    await shown.getByRole('button', { name: 'cURL', exact: true }).click();
    await page.getByRole('menuitem', { name: 'TypeScript' }).click();
    await expect.poll(() => shown.textContent()).toContain('eachUser(client)');
  });

  test.each([
    ['/docs/redoc', 'light'],
    ['/docs/redoc', 'dark'],
    ['/docs/redoc#/users/listusers', 'light'],
  ] as const)('is accessible as one page of Redoc: %s, %s', async (path, colorScheme) => {
    const page = await open(path, { colorScheme });
    // Until Redoc runs, the button has another text.
    await page.getByTestId('search-trigger').getByText('Search').waitFor();
    await page.locator('.menu-content').waitFor();
    const [, operation] = path.split('#/');
    if (operation) await page.locator(`[id="${operation}/responses"]`).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([
      expect.stringContaining(contract.info.title),
    ]);
  });
});

test('the console calls the environment that serves it, or a mock, keeps the token in the tab, and is accessible', async () => {
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

  const hint = page.getByRole('button', { name: 'Enter your token first' });
  await hint.click();
  await page.keyboard.insertText('tot_secret');
  expect(await page.getByRole('textbox', { name: 'Your sandbox token' }).inputValue()).toBe('tot_secret');
  expect(await hint.isVisible()).toBe(false);
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
  expect(await page.locator('.curl-command').textContent()).toContain('Authorization: tot_secret');
  expect(await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)).not.toContain(
    'tot_secret',
  );

  expect(await violations(page)).toEqual([]);
  await showAs(page, 'dark', phone);
  expect(await violations(page), 'dark, on a phone').toEqual([]);
  const spaces = page.locator('.live-responses-table .highlight-code :is(pre, code)');
  expect(await spaces.evaluateAll((all) => all.map((one) => getComputedStyle(one).whiteSpace))).toEqual([
    'pre',
    'pre',
  ]);
  const url = page.locator('.request-url pre');
  expect(await url.evaluate((pre) => pre.scrollWidth - pre.clientWidth), 'the URL is wrapped').toBe(0);
  expect(await widthOf(page)).toBeLessThanOrEqual(phone.width);
});

test('the console opens at an operation, with its example and the token of the reference', async () => {
  const page = await open('/docs/reference/users');
  await page.getByRole('textbox', { name: 'Your token' }).fill('tot_mine');
  const operation = page.locator('section.operation').filter({ has: page.locator('#changeUserRole') });
  await operation.getByRole('link', { name: 'Try it in the console' }).click();
  const body = page.getByRole('textbox', { name: 'Request body' });
  await body.waitFor();
  const { value } = contract.components.examples.adjusterMadeAdmin;
  expect(JSON.parse(await body.inputValue())).toEqual(value);
  expect(await page.getByRole('textbox', { name: 'Your sandbox token' }).inputValue()).toBe('tot_mine');
  const top = async () => (await page.locator('.opblock.is-open').boundingBox())?.y;
  await expect.poll(top).toBeGreaterThan(56);
  await expect.poll(top).toBeLessThan(200);
});

test('the console fills in each field of a form with its example', async () => {
  const page = await open('/docs/console#/attachments/createAttachment');
  const tags = page.locator('[data-property-name=tags] input[type=text]');
  await tags.first().waitFor();
  const values = await tags.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value));
  expect(values).toEqual(['photo', 'front']);
});
