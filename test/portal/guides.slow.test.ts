import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { guideGroups } from '../../server/contract/index.ts';
import { readers, servedPortal, violations } from './support.ts';

const address = servedPortal();
const open = readers(address);

describe('the list of errors', () => {
  const shown = (page: Page) =>
    page
      .locator('.errors-list .entry:visible > div > code')
      .evaluateAll((all) => all.map((one) => one.textContent));

  test('is filtered by words of the code, the status or the text, until a link leads to an error', async () => {
    const page = await open('/docs/errors');
    const all = await shown(page);
    await page.getByRole('searchbox', { name: 'Filter the errors' }).fill('404 RECORD');
    const found = await shown(page);
    expect(found).toContain('record_not_found');
    expect(found.length).toBeLessThan(5);
    expect(await page.getByRole('status').getByText(`${found.length} errors`).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2, name: /^\d/ }).allInnerTexts()).toEqual([
      expect.stringContaining('404'),
    ]);
    expect(await violations(page)).toEqual([]);
    await page.evaluate(() => location.assign('#last_owner'));
    await expect.poll(() => shown(page)).toEqual(all);
  });

  test('has room for each word of the code about retries, in a monospaced font', async () => {
    const page = await open('/docs/errors');
    // A character of common monospaced fonts has 0.61 em at most; this browser may have none of them.
    const short = await page.locator('.errors-list .retry code').evaluateAll((all) =>
      all.map((code) => {
        const { fontSize, paddingLeft } = getComputedStyle(code);
        const longest = Math.max(...code.textContent.split(' ').map((word) => word.length));
        const needed = longest * 0.61 * Number.parseFloat(fontSize) + 2 * Number.parseFloat(paddingLeft);
        return Math.min(0, (code.closest('.retry')?.clientWidth ?? 0) - needed);
      }),
    );
    expect(short.length).toBeGreaterThan(0);
    expect(short).toEqual(short.map(() => 0));
  });

  test('is complete without scripts', async () => {
    const page = await open('/docs/errors', { javaScriptEnabled: false });
    const codes = contract.tags.find(({ name }) => name === 'errors')?.description.match(/^- `\w+`:/gm);
    expect((await shown(page)).length).toBe(codes?.length);
    expect(await page.getByRole('searchbox').count()).toBe(0);
  });
});

describe('alternatives in a guide', () => {
  const path = '/docs/receiving-webhooks';
  const code = (page: Page, text: string) => page.locator('pre', { hasText: text });

  test('are tabs; the choice holds on other pages, beside the language of samples', async () => {
    const page = await open('/docs/reference/users');
    await page.getByRole('radio', { name: 'TypeScript' }).first().check();
    await page.goto(`${address()}${path}`);
    expect(await code(page, "from 'fastify'").isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Fastify' }).check();
    await page.reload();
    await code(page, "from 'fastify'").waitFor();
    expect(await code(page, "from 'express'").isVisible()).toBe(false);
    await page.goto(`${address()}/docs/reference/users`);
    expect(await page.getByRole('radio', { name: 'TypeScript' }).first().isChecked()).toBe(true);
  });

  test('open at the fragment of a link', async () => {
    const page = await open(`${path}#python`);
    await code(page, 'from joserfc').waitFor();
    expect((await code(page, 'from joserfc').boundingBox())?.y).toBeLessThan(400);
    await page.evaluate(() => location.assign('#go'));
    await code(page, 'package main').waitFor();
    expect(await code(page, 'from joserfc').isVisible()).toBe(false);
  });

  test('are all shown without scripts and in print', async () => {
    const plain = await open(path, { javaScriptEnabled: false });
    const printed = await open(path);
    await printed.emulateMedia({ media: 'print' });
    for (const page of [plain, printed]) {
      for (const text of ["from 'express'", 'from joserfc', 'package main'])
        expect(await code(page, text).isVisible()).toBe(true);
      expect(await page.getByRole('heading', { name: 'Python' }).isVisible()).toBe(true);
    }
  });
});

test('a phone shows the rows of every table as blocks, and no table scrolls or has a narrow column', async () => {
  const page = await open('/docs', { viewport: { width: 390, height: 844 } });
  const guides = guideGroups(contract).flatMap(({ tags }) => tags.map((name) => `/docs/${name}`));
  for (const path of [
    '/docs',
    ...guides,
    '/docs/changelog',
    '/docs/client',
    '/docs/frontends',
    '/docs/downloads',
  ]) {
    await page.goto(`${address()}${path}`);
    const narrow = await page
      .locator('.table td:visible')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.clientWidth < 250).map(({ textContent }) => textContent),
      );
    expect(narrow, path).toEqual([]);
    const scrolled = await page
      .locator('.table')
      .evaluateAll((tables) =>
        tables.filter((table) => table.scrollWidth > table.clientWidth).map(({ ariaLabel }) => ariaLabel),
      );
    expect(scrolled, path).toEqual([]);
  }
});
