import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { walkByKeyboard } from '../support/keyboard.ts';
import { readers, servedPortal } from './support.ts';

const address = servedPortal();
const open = readers(address);
const phone = { width: 390, height: 844 };

/** One page of each kind, with what must be there before the walk. */
const kinds: [kind: string, path: string, ready?: string][] = [
  ['the home page', '/docs'],
  ['a guide', '/docs/quick-start'],
  ['a guide with wide tables', '/docs/authentication'],
  ['the overview of the reference', '/docs/reference'],
  ['a resource of the reference', '/docs/reference/parameters'],
  ['the changelog', '/docs/changelog'],
  ['the downloads', '/docs/downloads'],
  ['the page for an unknown address', '/docs/quickstart', '.search-again input'],
];

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.className);

describe('by keyboard alone', () => {
  test('the walk reports an element without an outline, and one that is covered', async () => {
    const page = await open('/docs/versioning');
    await page.locator('.brand').evaluate((brand) => brand.style.setProperty('outline', 'none'));
    await page.locator('.top .find').evaluate((find) => {
      const cover = document.createElement('div');
      cover.style.cssText = 'position: absolute; inset: 0';
      find.parentElement?.append(cover);
    });
    const problems = await walkByKeyboard(page).catch(String);
    for (const problem of ['has no outline', 'is covered by']) {
      expect(problems).toContain(problem);
    }
  });

  test.each(kinds)('%s shows the focus, in order, to the end', async (_kind, path, ready = 'main') => {
    const page = await open(path, {}, [], { isMissing: path === '/docs/quickstart' });
    await page.locator(ready).first().waitFor();
    expect(await walkByKeyboard(page)).toBeGreaterThan(20);
    await page.setViewportSize(phone);
    expect(await walkByKeyboard(page)).toBeGreaterThan(3);
  });

  test.each(kinds)('the first link of %s skips to its content', async (_kind, path) => {
    const page = await open(path, {}, [], { isMissing: path === '/docs/quickstart' });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('skip');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('content');
  });

  test('Escape closes the menu of a page, the search and the menu of a phone, and returns the focus', async () => {
    const page = await open('/docs/errors', { viewport: phone });
    const opened = async (control: string, part: string) => {
      await page.locator(control).focus();
      await page.keyboard.press('Enter');
      await page.locator(part).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await page.locator(part).waitFor({ state: 'hidden' });
      expect(await page.locator(control).evaluate((element) => element === document.activeElement)).toBe(
        true,
      );
    };
    await opened('.page-menu summary', '.page-menu > div');
    await opened('.top .find', 'dialog.search');
    await opened('.top .menu', '.drawer .pages');
  });

  test('the menu of a phone keeps the content that it covers out of reach', async () => {
    const page = await open('/docs/versioning', { viewport: phone });
    await page.locator('.top .menu').focus();
    await page.keyboard.press('Enter');
    await page.locator('.drawer a').last().focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main'))).toBeNull();
  });
});
