import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { readers, servedPortal } from './support.ts';

const open = readers(servedPortal());
const pages = ['/docs', '/docs/frontends', '/docs/reference/workflows', '/docs/reference/users'];

/** Of each block of code that is shown, whether it is cut, and the label of the button below it. */
const blocks = (page: Page) =>
  page.locator('.code pre:visible').evaluateAll((all) =>
    all.map((block) => {
      const { scrollHeight, clientHeight, textContent, nextElementSibling: below } = block;
      const button = below?.matches('.more') && below.checkVisibility() ? below.textContent : undefined;
      return {
        isCut: scrollHeight > clientHeight + 1,
        lines: textContent?.trimEnd().split('\n').length,
        button,
      };
    }),
  );

describe.each(pages)('the long code of %s', (path) => {
  test.each([1440, 1024, 390])(
    'is cut above a button with the number of its lines, at %i pixels',
    async (width) => {
      const page = await open(path, { viewport: { width, height: 844 } });
      const all = await blocks(page);
      const cut = all.filter(({ isCut }) => isCut);
      expect(cut.length).toBeGreaterThan(0);
      expect(cut.map(({ button }) => button)).toEqual(cut.map(({ lines }) => `Show all ${lines} lines`));
      expect(all.filter(({ isCut, button }) => button && !isCut)).toEqual([]);
    },
  );

  test('is whole without scripts and in print, without buttons', async () => {
    const plain = await open(path, { javaScriptEnabled: false });
    const printed = await open(path);
    await printed.emulateMedia({ media: 'print' });
    for (const page of [plain, printed])
      expect((await blocks(page)).filter(({ isCut, button }) => isCut || button)).toEqual([]);
  });
});

test.each([
  ['light', 1440],
  ['dark', 390],
] as const)(
  'the button expands code and cuts it again, by keyboard: %s, %i pixels',
  async (colorScheme, width) => {
    const page = await open('/docs/reference/workflows', { colorScheme, viewport: { width, height: 844 } });
    const button = page.locator('.more:visible').first();
    const code = page.locator('pre:has(+ .more):visible').first();
    const label = await button.innerText();
    const height = async () => (await code.boundingBox())?.height ?? 0;
    const faded = () =>
      code.evaluate((one) => getComputedStyle(one.querySelector('code') ?? one, '::after').content);
    expect(await height()).toBe(560);
    expect(await faded()).toBe('""');
    // The code is a stop of its own: it scrolls sideways.
    await code.focus();
    await page.keyboard.press('Tab');
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    expect(await button.innerText()).toBe('Show fewer lines');
    expect(await height()).toBeGreaterThan(1000);
    expect(await faded()).toBe('none');
    await page.keyboard.press('Space');
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    expect(await button.innerText()).toBe(label);
    expect(await height()).toBe(560);
    const { y = 0 } = (await button.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(56);
    expect(y).toBeLessThan(844);
  },
);

test('what the browser finds in cut code is shown where it was found', async () => {
  const page = await open('/docs/reference/workflows', { viewport: { width: 390, height: 844 } });
  const code = page.locator('pre:has(+ .more):visible').first();
  const last = code.locator('span').last();
  await last.evaluate((one) => one.scrollIntoView({ block: 'center', behavior: 'instant' }));
  await expect.poll(async () => (await code.boundingBox())?.height).toBeGreaterThan(1000);
  const { y = 0 } = (await last.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(56);
  expect(y).toBeLessThan(844);
});
