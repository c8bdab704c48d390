import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Page } from 'playwright-core';
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
    const page = await open[environment]('/docs/errors#validation_failed', { viewport: phone }, [
      baseUrls[other],
    ]);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: /^Switch to/ })
      .click();
    await page.waitForURL(`${baseUrls[other]}/docs/errors#validation_failed`);
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
