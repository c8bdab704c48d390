import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPortal } from '../../scripts/portal/main.ts';
import { openedPortal, portal } from '../../server/src/pages/portal.ts';
import { openPortalSite } from '../../server/src/pages/portal-site.ts';
import { readers, showAs, violations, widthOf } from './support.ts';

const names = ['production', 'sandbox'] as const;
const servers = { production: createServer(), sandbox: createServer() };
const baseUrls = { production: '', sandbox: '' };
beforeAll(async () => {
  for (const name of names) {
    await new Promise<void>((listening) => servers[name].listen(0, '127.0.0.1', listening));
    baseUrls[name] = `http://127.0.0.1:${(servers[name].address() as AddressInfo).port}`;
  }
  for (const environment of names) {
    const opened = openedPortal(async () => openPortalSite(await buildPortal()), { environment, baseUrls });
    const app = express().use(
      portal(opened),
      (_request, response) => void response.status(404).json({ errors: [] }),
    );
    servers[environment].on('request', app);
  }
});
afterAll(() => {
  for (const name of names) servers[name].close();
});
const open = { production: readers(() => baseUrls.production), sandbox: readers(() => baseUrls.sandbox) };

const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const phone = { width: 390, height: 844 };
const switchOf = (page: Page) => page.locator('.top .switch');
/** Clicks without scrolling to an element first, unlike the library's click, which scrolls a page below its sticky header. */
async function press(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
  await page.mouse.click(x + width / 2, y + height / 2);
}
async function pressSwitch(page: Page): Promise<void> {
  if (await switchOf(page).isVisible()) return press(page, switchOf(page));
  await press(page, page.getByRole('button', { name: 'Menu', exact: true }));
  await press(page, page.locator('.drawer .switch'));
}
/** Every test of a page with Redoc waits for it. */
const ready: Record<string, string> = {
  '/docs/redoc': '.menu-content',
  '/docs/quickstart': '.search-again input',
};

describe.each(names)('in %s', (environment) => {
  const [shown, other] =
    environment === 'sandbox' ? (['Sandbox', 'production'] as const) : (['Production', 'sandbox'] as const);

  test.each([
    '/docs',
    '/docs/quick-start',
    '/docs/reference/users',
    '/docs/redoc',
    '/docs/changelog',
    '/docs/quickstart',
  ])('%s is accessible at each width, light and dark, and shows where it is', async (path) => {
    const page = await open[environment](path, {}, [], { isMissing: path === '/docs/quickstart' });
    await page
      .locator(ready[path] ?? 'main')
      .first()
      .waitFor();
    for (const [index, size] of sizes.entries()) {
      await showAs(page, index % 2 ? 'dark' : 'light', size);
      expect(await page.locator('.environment .current').innerText()).toBe(shown);
      expect(await widthOf(page), `${size.width}`).toBeLessThanOrEqual(size.width);
      expect(await violations(page, '.top'), `${size.width}`).toEqual([]);
    }
    expect(await violations(page)).toEqual([]);
  });

  test('the switch keeps path and fragment, by keyboard', async () => {
    const page = await open[environment]('/docs/reference/users#terminateUser', {}, [baseUrls[other]]);
    await switchOf(page).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${baseUrls[other]}/docs/reference/users#terminateUser`);
    await page.getByRole('group', { name: 'Environment' }).waitFor();
  });

  test('the switch passes on the theme that the reader chose, and only that', async () => {
    const page = await open[environment]('/docs/errors', { colorScheme: 'light' }, [baseUrls[other]]);
    const theme = () => page.locator('html').getAttribute('class');
    await switchOf(page).hover();
    expect(await switchOf(page).getAttribute('href')).toBe(`${baseUrls[other]}/docs/errors`);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    await switchOf(page).click();
    await page.waitForURL(`${baseUrls[other]}/docs/errors`);
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
    await page.goto(`${baseUrls[environment]}/docs/errors?theme=blue&x=1#last_owner`);
    await page.waitForURL(`${baseUrls[environment]}/docs/errors?x=1#last_owner`);
    expect(await theme()).toBe('dark');
  });

  test('the menu of a phone has the switch, with the fragment', async () => {
    const page = await open[environment]('/docs/errors#body_invalid', { viewport: phone }, [baseUrls[other]]);
    await press(page, page.getByRole('button', { name: 'Menu', exact: true }));
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await press(page, menu.getByRole('link', { name: /^Switch to/ }));
    await page.waitForURL(`${baseUrls[other]}/docs/errors#body_invalid`);
  });

  test('the switch is there without scripts, on a phone too', async () => {
    const page = await open[environment]('/docs/errors', { viewport: phone, javaScriptEnabled: false }, [
      baseUrls[other],
    ]);
    expect(await widthOf(page)).toBeLessThanOrEqual(phone.width);
    await switchOf(page).click();
    await page.waitForURL(`${baseUrls[other]}/docs/errors`);
  });

  test('the switch of the page for an unknown address leads to the same address', async () => {
    const page = await open[environment]('/docs/quickstart', {}, [], { isMissing: true });
    await page.locator('.search-again').waitFor();
    expect(await switchOf(page).getAttribute('href')).toBe(`${baseUrls[other]}/docs/quickstart`);
  });
});

describe('after scrolling by hand, the switch', () => {
  const kinds = [
    '/docs',
    '/docs/receiving-webhooks',
    '/docs/errors',
    '/docs/errors#last_owner',
    '/docs/reference',
    '/docs/reference/users#terminateUser',
    '/docs/changelog',
    '/docs/downloads',
  ];
  const pixels = (page: Page) => page.evaluate(() => Math.round(scrollY));
  const scrollTo = (page: Page, part: number) =>
    page.evaluate((to) => window.scrollTo(0, to * (document.body.scrollHeight - innerHeight)), part);

  test.each([sizes[0], phone].flatMap((size) => kinds.map((path) => [size?.width, path, size] as const)))(
    'at %i pixels, leads to what %s shows',
    async (_width, path, viewport = phone) => {
      for (const part of [0.1, 0.6, 1]) {
        const page = await open.production(path, { viewport }, [baseUrls.sandbox]);
        await scrollTo(page, part);
        const before = await pixels(page);
        expect(before).toBeGreaterThan(0);
        await pressSwitch(page);
        await page.waitForURL(
          (url) => url.origin === baseUrls.sandbox && url.pathname === path.replace(/#.*/, ''),
        );
        await expect.poll(() => pixels(page), { message: `${part}` }).toBe(before);
        expect(new URL(page.url()).search).toBe('');
        await page.reload();
        await expect.poll(() => pixels(page), { message: `${part}, reloaded` }).toBe(before);
      }
    },
  );

  test('leads to the operation that the reader chose in the sidebar, at the same height', async () => {
    const page = await open.production('/docs/reference/users', {}, [baseUrls.sandbox]);
    const top = () => page.locator('#getUser').evaluate((one) => Math.round(one.getBoundingClientRect().top));
    await press(page, page.locator('.side a[href$="#getUser"]').first());
    await expect.poll(top).toBe(72);
    await pressSwitch(page);
    await page.waitForURL(`${baseUrls.sandbox}/docs/reference/users#getUser`);
    await expect.poll(top).toBe(72);
  });

  test('leads to the same section if the sections above have another height', async () => {
    const page = await open.production('/docs/reference/users', {}, [baseUrls.sandbox]);
    const marked = page.locator('.side [aria-current=location]');
    await page.locator('label', { hasText: 'TypeScript' }).first().click();
    for (const button of await page.locator('.more:visible').all()) await button.click();
    for (const fields of await page.locator('.fields summary:visible').all()) await fields.click();
    const first = await marked.textContent();
    await scrollTo(page, 0.5);
    // The section is marked with the frame after the scrolling.
    await expect.poll(() => marked.textContent()).not.toBe(first);
    const [before, section] = [await pixels(page), await marked.textContent()];
    await pressSwitch(page);
    await page.waitForURL(`${baseUrls.sandbox}/docs/reference/users#*`);
    await expect.poll(() => marked.textContent()).toBe(section);
    expect(await pixels(page)).toBeLessThan(before - 500);
  });

  test('leads to the section without scripts on the other side, and passes on nothing at the top', async () => {
    const page = await open.production('/docs/errors#last_owner', {}, [baseUrls.sandbox]);
    await scrollTo(page, 0.9);
    await switchOf(page).dispatchEvent('pointerover');
    expect(new URL((await switchOf(page).getAttribute('href')) ?? '').hash).toMatch(/^#[a-z_]+$/);
    await scrollTo(page, 0);
    await switchOf(page).dispatchEvent('pointerover');
    expect(await switchOf(page).getAttribute('href')).toBe(`${baseUrls.sandbox}/docs/errors`);
  });
});

describe('Redoc and the reference lead to the same', () => {
  test.each([
    ['users', 'terminateUser', 'Terminate a user'],
    ['events', 'onUserTerminated', 'A user was terminated'],
  ])('of %s: %s', async (group, operationId, title) => {
    const page = await open.production(`/docs/reference/${group}`);
    await page.getByRole('link', { name: `In Redoc: ${title}` }).click();
    const heading = page.locator('#redoc main').getByRole('heading', { name: title }).first();
    const isInView = async () => {
      const { y = 0 } = (await heading.boundingBox()) ?? {};
      return y > 56 && y < 400;
    };
    await expect.poll(isInView).toBe(true);
    // A fresh page, as from a bookmark.
    await page.reload();
    await expect.poll(isInView).toBe(true);
    await page.locator(`#redoc main a[href$="#${operationId}"]`, { hasText: 'In the reference' }).click();
    await page.waitForURL(`${baseUrls.production}/docs/reference/${group}#${operationId}`);
    const target = page.getByRole('heading', { name: title }).first();
    await expect.poll(async () => (await target.boundingBox())?.y).toBeLessThan(120);
  });
});
