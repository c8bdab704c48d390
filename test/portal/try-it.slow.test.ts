import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import type { Contract } from '../../scripts/contract/source.ts';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { demoPlatform } from '../support/demo.ts';
import { walkByKeyboard } from '../support/keyboard.ts';
import { readers, showAs, violations, widthOf } from './support.ts';

const { baseUrl, sandboxUrl, environments } = await demoPlatform();
const sandboxToken = environments.sandbox.demo.organizationToken;
const open = readers(() => sandboxUrl);
const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const form = (page: Page) => page.locator('form.open');
const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`);
const response = (page: Page) => page.getByRole('region', { name: 'Response' });
const status = (page: Page) => response(page).getByRole('status');

/** Opens the form of an operation, with a token. */
async function opened(
  path: string,
  ...options: Parameters<typeof open> extends [string, ...infer More] ? More : never
) {
  const page = await open(path.replace('#', '?try#'), ...options);
  await form(page).waitFor();
  const token = form(page).getByLabel('Sandbox token');
  if ((await token.count()) > 0) await token.fill(sandboxToken);
  return page;
}

async function send(page: Page, title: string): Promise<string> {
  await form(page).getByRole('button', { name: 'Send' }).click();
  await status(page).getByText(title).waitFor();
  await form(page).getByRole('button', { name: 'Send' }).waitFor();
  return response(page).innerText();
}

describe('Try it', () => {
  test('leads from production to the same operation in the sandbox, whose token it asks for', async () => {
    const page = await open('/docs');
    const requests: string[] = [];
    page.on('request', (request) => void (request.url().includes('/docs') || requests.push(request.url())));
    const production = await fetch(`${baseUrl}/docs/reference/users`);
    const [, link = ''] =
      /href="([^"]+#changeUserRole)">Try it in the sandbox/.exec(await production.text()) ?? [];
    expect(link).toBe(`${sandboxUrl}/docs/reference/users?try#changeUserRole`);
    await page.goto(link);
    await form(page).waitFor();
    expect(await form(page).getAttribute('aria-label')).toBe("Try it: Change a user's organization role");
    await expect
      .poll(() => page.evaluate(() => (document.activeElement as HTMLInputElement).type))
      .toBe('password');
    const effect = "This will change a user's organization role";
    await form(page).getByText(`${effect} in the sandbox.`).waitFor();
    await field(page, 'server').fill('http://127.0.0.1:4010');
    await form(page).getByText(`${effect} at http://127.0.0.1:4010.`).waitFor();
    await field(page, 'server').fill(sandboxUrl);
    await form(page).getByText(`${effect} in the sandbox.`).waitFor();
    // Without a token, nothing is sent.
    await form(page).getByRole('button', { name: 'Send' }).click();
    expect(
      await field(page, 'header.Authorization').evaluate(
        (input: HTMLInputElement) => input.validity.valueMissing,
      ),
    ).toBe(true);
    expect(requests).toEqual([]);
  });

  test('on production, opens nothing', async () => {
    const production = await open('/docs', {}, [baseUrl]);
    await production.goto(`${baseUrl}/docs/reference/users?try#changeUserRole`);
    await production.getByRole('link', { name: 'Try it in the sandbox' }).first().waitFor();
    expect(await production.getByRole('button', { name: 'Try it in the sandbox' }).count()).toBe(0);
    expect(await production.locator('form').count()).toBe(0);
  });

  test('opens below its button on narrow screens, with only what is required filled in', async () => {
    for (const width of [1024, 390, 320]) {
      const page = await opened('/docs/reference/workflows#listWorkflows', {
        viewport: { width, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
      const button = page.locator('section', { has: form(page) }).getByRole('button', { name: 'Try it in' });
      const [above, below] = await Promise.all([button.boundingBox(), form(page).boundingBox()]);
      const gap = (below?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0);
      expect(gap, `${width}`).toBeGreaterThan(0);
      expect(gap, `${width}`).toBeLessThan(100);
      expect(await field(page, 'query.size').inputValue()).toBe('');
      expect(await field(page, 'query.size').getAttribute('placeholder')).toBe('e.g. 20');
      expect(await field(page, 'query.status').inputValue()).toBe('');
      // iOS zooms to smaller fields.
      const sizes = await form(page)
        .locator('input, select')
        .evaluateAll((all) => all.map((one) => [one.clientHeight, getComputedStyle(one).fontSize]));
      for (const [height, size] of sizes) {
        expect(height).toBeGreaterThanOrEqual(42);
        expect(size).toBe('16px');
      }
    }
    const page = await opened('/docs/reference/workflows#getWorkflow');
    expect(await field(page, 'path.workflowId').inputValue()).not.toBe('');
  });

  test('sends the request, and shows status, body and headers of the response below the button', async () => {
    const page = await opened('/docs/reference/users#listUsers');
    const [sent, text] = await Promise.all([page.waitForRequest(/organizations/), send(page, '200 OK')]);
    expect(sent.url()).toBe(`${sandboxUrl}/organizations/users`);
    expect(text).toMatch(/^200 OK\s+\d+ ms · [\d.]+ kB/);
    expect(text).toContain('"totalElements": ');
    await response(page)
      .getByText(/^\d+ headers$/)
      .click();
    expect(await response(page).innerText()).toContain('ratelimit-policy: ');
    // Status and body are in view.
    const { y = 0 } = (await status(page).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(56);
    expect(y).toBeLessThan(wide.height / 2);
    const { y: above = 0 } = (await form(page).getByRole('button', { name: 'Send' }).boundingBox()) ?? {};
    expect(above).toBeGreaterThan(56);
    expect(above).toBeLessThan(y);
    // Nothing of a line is hidden.
    const isCut = (lines: Element) => lines.scrollWidth > lines.clientWidth;
    expect(await response(page).locator('pre').first().evaluate(isCut)).toBe(false);
  });

  test('changes data with the body of the form, as edited', async () => {
    const page = await opened('/docs/reference/users#updateUserProfile', { viewport: phone });
    expect(JSON.parse(await field(page, 'body').inputValue())).toEqual(
      Object.values(
        contract.paths['/organizations/users/{userId}/profile'].put.requestBody.content['application/json']
          .examples,
      ).map(
        ({ $ref }) => contract.components.examples[$ref.split('/').at(-1) as 'adjusterMadeAdmin'].value,
      )[0],
    );
    await field(page, 'body').fill('{"title": "Adjuster <b>"}');
    expect(await send(page, '200 OK')).toContain('"title": "Adjuster <b>"');
  });

  test('keeps the token masked, in the tab only, for every operation', async () => {
    const page = await opened('/docs/reference/users#getUser');
    await send(page, '200 OK');
    expect(await form(page).getByLabel('Sandbox token').getAttribute('type')).toBe('password');
    const kept = () =>
      page.evaluate(
        () =>
          JSON.stringify(localStorage) + document.cookie + document.body.innerText + document.body.innerHTML,
      );
    expect(await kept()).not.toContain(sandboxToken);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain(sandboxToken);
    await page.goto(`${sandboxUrl}/docs/reference/organization`);
    await page.getByRole('button', { name: 'Try it in the sandbox' }).first().click();
    expect(await send(page, '200 OK')).toContain('"id"');
  });

  test('uploads a file with the fields of the form', async () => {
    const page = await opened('/docs/reference/attachments#createAttachment');
    expect(await field(page, 'part.tags').inputValue()).toBe('photo\nfront');
    await field(page, 'part.file').setInputFiles({
      name: 'größe.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('hello'),
    });
    const text = await send(page, '201 Created');
    expect(text).toContain('"name": "größe.txt"');
    expect(text).toMatch(/"tags": \[\s+"photo",\s+"front"\s+\]/);
  });

  test('offers what is not text as a file, with its name', async () => {
    const page = await opened('/docs/reference/resources#downloadResource');
    expect(await send(page, '200 OK')).toContain('application/octet-stream. Download');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      response(page).getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('policy-terms.pdf');
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('shows the beginning of a long response, and offers the rest', async () => {
    const page = await opened('/docs/reference/users#getUser');
    const long = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    await page.route(/organizations\/users/, (route) =>
      route.fulfill({ contentType: 'application/json', body: long }),
    );
    await send(page, '200');
    await response(page).getByText('The first 300 kB are shown.').waitFor();
    expect((await response(page).locator('code').innerText()).length).toBe(300_000);
    expect(await response(page).getByRole('link', { name: 'Download' }).count()).toBe(1);
    const height = async () => (await response(page).locator('pre').first().boundingBox())?.height;
    expect(await height()).toBe(560);
    await response(page).getByRole('button', { name: 'Show all' }).click();
    expect(await height()).toBeGreaterThan(560);
  });

  test('shows errors as the server sends them, and when to try again after 429', async () => {
    const page = await opened('/docs/reference/users#getUser', {}, [], { expected: /status of (?:400|429)/ });
    await field(page, 'path.userId').fill('../no');
    expect(await send(page, '400 Bad Request')).toContain('"code": "parameter_invalid"');
    await page.route(/organizations\/users/, (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '17' } }),
    );
    expect(await send(page, '429')).toContain('try again in 17 s');
  });

  test('calls a mock on this machine, and says if none runs; never production, nor another server', async () => {
    const { server } = await createMock(contract as unknown as Contract);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void server.close());
    const portOf = (one: { address(): AddressInfo | string | null }) => (one.address() as AddressInfo).port;
    const free = createServer();
    await new Promise<void>((listening) => free.listen(0, '127.0.0.1', listening));
    const closed = `http://127.0.0.1:${portOf(free)}`;
    await new Promise((done) => free.close(done));
    const mock = `http://127.0.0.1:${portOf(server)}`;
    const page = await opened('/docs/reference/users#getUser', {}, [mock, closed], {
      expected: /ERR_CONNECTION_REFUSED/,
    });
    await field(page, 'server').fill(mock);
    expect(await send(page, '200 OK')).toContain('ines.moreau@');
    await field(page, 'server').fill(closed);
    expect(await send(page, 'No response')).toContain('The server is not reachable');
    for (const refused of [baseUrl, baseUrl.replace('127.0.0.1', 'localhost'), 'https://example.com']) {
      await field(page, 'server').fill(refused);
      await form(page).getByRole('button', { name: 'Send' }).click();
      const message = await field(page, 'server').evaluate(
        (input: HTMLInputElement) => input.validationMessage,
      );
      expect(message, refused).toBe(`Enter ${sandboxUrl}, or the URL of a mock on this machine.`);
      expect(await status(page).innerText(), refused).toContain('No response');
    }
  });

  test('cancels a request that waits', async () => {
    const page = await opened('/docs/reference/webhooks#pollWebhookEvents');
    await field(page, 'query.wait').fill('20');
    await field(page, 'query.since').fill('0');
    await form(page).getByRole('button', { name: 'Send' }).click();
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await status(page).getByText('Cancelled').waitFor();
    await form(page).getByRole('button', { name: 'Send' }).waitFor();
  });

  test('is accessible, fits a phone, and works by keyboard', async () => {
    const page = await opened('/docs/reference/parameters#createParameterSet');
    await field(page, 'body').press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await status(page).getByText('201 Created').waitFor();
    expect(await violations(page)).toEqual([]);
    await walkByKeyboard(page);
    await showAs(page, 'dark', phone);
    expect(await violations(page), 'dark, on a phone').toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(phone.width);
    await walkByKeyboard(page);
  });
});
