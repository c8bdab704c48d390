import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { guideGroups } from '../../server/contract/index.ts';
import { readers, servedPortal, showAs, violations, widthOf } from './support.ts';

const address = servedPortal();
const open = readers(address);
const guides = guideGroups(contract).flatMap(({ tags }) => tags);
const groups = contract.tags.map(({ name }) => name).filter((name) => !guides.includes(name));
const prose = [
  '/docs',
  ...guides.map((name) => `/docs/${name}`),
  '/docs/changelog',
  '/docs/client',
  '/docs/frontends',
  '/docs/downloads',
];
const reference = ['/docs/reference', ...groups.map((name) => `/docs/reference/${name}`)];
const phone = { width: 390, height: 844 };
const wide = { width: 1440, height: 900 };

/** Pages with every element of prose pages. */
const significant = [
  '/docs',
  '/docs/errors',
  '/docs/receiving-webhooks',
  '/docs/reference',
  '/docs/reference/users',
];

/** The words of inline code that begin on one line and end on the next. A word that is longer than a line has to. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator('.prose :not(pre) > code').evaluateAll((codes) =>
    codes.flatMap((code) => {
      const broken: string[] = [];
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[A-Za-z0-9]{1,24}/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) broken.push(`${word} in ${code.textContent}`);
        }
      }
      return broken;
    }),
  );
}

test('every page of prose and of the reference is accessible: dark on a phone, and light on a wide screen', async () => {
  const page = await open('/docs', { colorScheme: 'dark', viewport: phone });
  for (const path of [...prose, ...reference]) {
    await page.goto(`${address()}${path}`);
    expect(await violations(page), path).toEqual([]);
    expect(await widthOf(page), path).toBeLessThanOrEqual(phone.width);
    expect(await brokenWords(page), `${path}: words of inline code on two lines`).toEqual([]);
    if (!significant.includes(path)) continue;
    await showAs(page, 'light', wide);
    expect(await violations(page), `${path}, light and wide`).toEqual([]);
    await showAs(page, 'dark', phone);
  }
});

describe('light and dark', () => {
  const isDark = (page: Page) => page.evaluate(() => document.documentElement.classList.contains('dark'));

  test('follow the system until the reader chooses, then the choice, on every page', async () => {
    const page = await open('/docs', { colorScheme: 'dark' });
    expect(await isDark(page)).toBe(true);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => isDark(page)).toBe(false);
    await page.getByRole('button', { name: 'Light or dark' }).click();
    expect(await isDark(page)).toBe(true);
    await page.goto(`${address()}/docs/errors`);
    expect(await isDark(page)).toBe(true);
  });
});

describe('the search', () => {
  test('opens with a key, finds an operation, and links to it in the reference', async () => {
    const page = await open('/docs/errors');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('terminate a user');
    const first = page.getByRole('option').first();
    await expect.poll(() => first.textContent()).toContain('Terminate a user');
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page), 'dark').toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/reference/users#terminateUser');
    await page.getByRole('heading', { name: 'Terminate a user' }).waitFor();
  });

  test('finds the entry of an error code from the reference', async () => {
    const page = await open('/docs/reference');
    await page.keyboard.press('/');
    await page.keyboard.type('range_not_satis');
    await page.getByRole('option', { name: /^range_not_satisfiable Errors/ }).click();
    await page.waitForURL('**/docs/errors#range_not_satisfiable');
    await expect.poll(() => page.locator('#range_not_satisfiable').boundingBox()).toMatchObject({});
  });

  test('finds the limits of a file in the guide to limits, among the first three results', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('file size limit');
    const results = page.getByRole('option');
    await expect
      .poll(async () => (await results.allTextContents()).slice(0, 3).join())
      .toContain('Limits and decisions');
    // An operationId, a field's path, a misspelling.
    for (const query of ['terminateUser', 'profile.firstName', 'attachemnt']) {
      await page.getByRole('combobox').fill(query);
      await expect
        .poll(() => results.first().textContent(), { message: query })
        .toMatch(/Terminate a user|profile|ttachment/);
    }
  });

  test('groups its results after the best three, and the keys move over all groups', async () => {
    const page = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('terminate a user');
    const groups = page.getByRole('listbox').getByRole('group');
    await expect.poll(() => groups.count()).toBeGreaterThan(3);
    const names = await groups.evaluateAll((all) => all.map((group) => group.ariaLabel));
    expect(names).toEqual(
      ['Best matches', 'Events', 'Reference', 'Errors', 'Guides', 'Changelog'].filter((name) =>
        names.includes(name),
      ),
    );
    const inFirst = await groups.first().getByRole('option').count();
    expect(inFirst).toBe(3);
    for (let moves = 0; moves < inFirst; moves++) await page.keyboard.press('ArrowDown');
    const marked = groups.nth(1).getByRole('option', { selected: true });
    expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
      await marked.getAttribute('id'),
    );
  });

  test('reports that there are no results', async () => {
    const page = await open('/docs', { viewport: phone });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.keyboard.type('xyzzy');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the page for an unknown address', () => {
  test.each([
    ['/docs/quickstart', 'Quick start'],
    ['/docs/recieving-webhooks.html', 'Receiving webhooks'],
    ['/docs/api/terminateUser', 'Terminate a user'],
  ])('suggests, at %s, %s', async (path, title) => {
    const page = await open(path, { viewport: phone }, [], { isMissing: true });
    await page.getByRole('heading', { name: 'Did you mean' }).waitFor();
    expect(await page.locator('article li a').allTextContents()).toContain(title);
    expect(await violations(page)).toEqual([]);
    expect(await widthOf(page)).toBeLessThanOrEqual(phone.width);
  });

  test('searches for its words', async () => {
    const page = await open('/docs/file-size-limit', {}, [], { isMissing: true });
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await expect
      .poll(() => page.getByRole('combobox').inputValue(), { message: 'the query' })
      .toBe('file size limit');
    await page
      .getByRole('option', { name: /Limits and decisions/ })
      .first()
      .waitFor();
  });
});

test('a phone shows the mark of the platform, and names it for screen readers', async () => {
  const page = await open('/docs/errors', { viewport: phone });
  const brand = page.getByRole('banner').getByRole('link', { name: contract.info.title, exact: true });
  const { height = 0 } = (await brand.boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(24);
  expect(height).toBeLessThan(45);
  expect(await page.locator('.brand .mark').isVisible()).toBe(true);
});

test.each([320, 360, 390, 1024, 1199, 1200, 1440])(
  'nothing scrolls sideways or wraps within a button at %i pixels',
  async (width) => {
    const page = await open('/docs', { viewport: { width, height: 844 } });
    for (const path of [
      '/docs',
      '/docs/errors',
      '/docs/client',
      '/docs/reference',
      '/docs/reference/workflows',
    ]) {
      await page.goto(`${address()}${path}`);
      expect(await widthOf(page), path).toBeLessThanOrEqual(width);
    }
    await page.goto(`${address()}/docs`);
    for (const button of await page.locator('.opening p:last-child a').all())
      expect((await button.boundingBox())?.height).toBeLessThan(45);
  },
);

test.each([
  ['/docs/errors', [1199, 960, 390], 1200],
  ['/docs/reference/users', [960, 390], 961],
])('%s lists its sections below the title where no list is beside it', async (path, widths, wider) => {
  const page = await open(path);
  const list = page.locator('.on-this-page');
  const beside = page.locator(':is(.contents, .side .within) a');
  const names = await beside.allTextContents();
  await page.setViewportSize({ width: wider, height: 844 });
  expect(await list.isVisible()).toBe(false);
  expect(await beside.first().isVisible()).toBe(true);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    expect(await beside.first().isVisible()).toBe(false);
    await list.getByText('On this page').click();
    expect(await list.getByRole('link').allInnerTexts()).toEqual(names);
    await list.getByText('On this page').click();
  }
  await list.getByText('On this page').click();
  expect(await violations(page)).toEqual([]);
  await list.getByRole('link').nth(2).click();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(300);
});

describe('on a long page', () => {
  test.each(['/docs/capacity', '/docs/reference/webhooks', '/docs/downloads'])(
    'the link to %s is in view beside it',
    async (path) => {
      const page = await open(path, { viewport: { width: 1440, height: 600 } });
      const current = page.locator('.side [aria-current=page]');
      await expect.poll(async () => (await current.boundingBox())?.y).toBeLessThan(600);
      await expect.poll(async () => (await current.boundingBox())?.y).toBeGreaterThan(56);
      expect(await page.evaluate(() => scrollY)).toBe(0);
    },
  );

  test('the section that the reader uses is marked, wherever it is in view', async () => {
    const page = await open('/docs/reference/users', { viewport: { width: 1440, height: 900 } });
    const marked = page.locator('.side [aria-current=location]');
    for (const [id, name] of [
      ['getUser', 'Get a user'],
      ['updateUserProfile', "Change a user's profile"],
    ] as const) {
      // The section before it is at the top of the window.
      await page.evaluate((to) => scrollTo(0, (document.getElementById(to)?.offsetTop ?? 0) - 400), id);
      await page
        .locator('section.operation', { has: page.locator(`#${id}`) })
        .locator('pre:visible')
        .first()
        .click();
      await expect.poll(() => marked.textContent()).toBe(name);
    }
    await page.mouse.wheel(0, -300);
    await expect.poll(() => marked.textContent()).toBe('Get a user');
  });

  test('a section is marked again when what is above it changes its height', async () => {
    const page = await open('/docs/reference/users', { viewport: { width: 1440, height: 900 } });
    const marked = page.locator('.side [aria-current=location]');
    await page.evaluate(() => scrollTo(0, document.getElementById('getUser')?.offsetTop ?? 0));
    await expect.poll(() => marked.textContent()).toBe('Get a user');
    await page.evaluate(() => {
      document.documentElement.style.overflowAnchor = 'none';
      const lead = document.querySelector('.lead');
      if (lead instanceof HTMLElement) lead.style.paddingBottom = '500px';
    });
    await expect.poll(() => marked.textContent()).toBe('List the users');
  });

  test.each([
    ['/docs/errors', '.contents'],
    ['/docs/reference/users', '.side .within'],
  ])('of %s, one section is marked from the first heading to the end, and in view', async (path, list) => {
    const page = await open(path, { viewport: { width: 1440, height: 700 } });
    const marked = page.locator(`${list} [aria-current=location]`);
    const links = await page.locator(`${list} a`).allTextContents();
    await page.locator(list).waitFor();
    expect(await marked.count()).toBe(0);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const seen = [];
    const first = await page.locator(`${list} a`).first().getAttribute('href');
    const start = (await page.locator(`[id="${first?.slice(1)}"]`).boundingBox())?.y ?? 0;
    for (let y = start - 80; y < height; y += 500) {
      await page.evaluate(async (top) => {
        scrollTo({ top, behavior: 'instant' });
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      }, y);
      const [text, ...others] = await marked.allTextContents();
      expect(others, `at ${y}`).toEqual([]);
      seen.push(links.indexOf(text ?? ''));
      const { y: top = 0 } = (await marked.boundingBox()) ?? {};
      expect(top, `at ${y}`).toBeGreaterThan(56);
      expect(top, `at ${y}`).toBeLessThan(700);
    }
    expect(seen[0]).toBe(0);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    await expect.poll(() => marked.allTextContents()).toEqual(links.slice(-1));
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await expect.poll(() => marked.count()).toBe(0);
  });

  test('the last section is marked when its link is followed, though it cannot reach the top', async () => {
    const page = await open('/docs/quick-start', { viewport: { width: 1440, height: 900 } });
    const links = page.locator('.contents a');
    for (const link of [links.nth(-2), links.last()]) {
      await link.click();
      await expect.poll(() => link.getAttribute('aria-current')).toBe('location');
    }
  });
});

test('the menu of a phone begins with the places of the header, and opens the current group alone', async () => {
  const page = await open('/docs/reference/users', { viewport: phone });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const places = await page.locator('.places a').allTextContents();
  expect((await menu.getByRole('link').allTextContents()).slice(0, places.length)).toEqual(places);
  for (const name of places)
    expect((await menu.getByRole('link', { name, exact: true }).boundingBox())?.y).toBeLessThan(
      phone.height / 2,
    );
  expect(await menu.locator('details[open] > summary').allTextContents()).toEqual(['Reference']);
  expect(await menu.getByRole('link', { name: 'Changelog' }).count()).toBe(1);
  await menu.getByText('Go live', { exact: true }).click();
  await menu.getByRole('link', { name: 'Going live' }).click();
  await page.getByRole('heading', { level: 1, name: 'Going live' }).waitFor();
});

test('a phone has all pages in its menu', async () => {
  const page = await open('/docs/errors', { viewport: phone });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByText('Go live', { exact: true }).click();
  await menu.getByRole('link', { name: 'Going live' }).click();
  await page.getByRole('heading', { level: 1, name: 'Going live' }).waitFor();
});

test('a phone has all pages without scripts too, below the content', async () => {
  const page = await open('/docs/reference/users', { viewport: phone, javaScriptEnabled: false });
  expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false);
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Single-use links' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Single-use links' }).waitFor();
});

test.each([
  ['/docs#/versioning', '/docs/versioning'],
  ['/docs#/users/reinstateuser', '/docs/reference/users#reinstateUser'],
  ['/docs/reference#/users', '/docs/reference/users'],
  ['/docs/reference#tag/Users/operation/reinstateUser', '/docs/reference/users#reinstateUser'],
  ['/docs/console#/users/reinstateUser', '/docs/reference/users#reinstateUser'],
  ['/docs/reference#operation/reinstateUser', '/docs/reference/users#reinstateUser'],
])('%s, a former URL, redirects to %s', async (from, to) => {
  const page = await open(from);
  await page.waitForURL(`${address()}${to}`, { waitUntil: 'commit' });
});

test('every link within the portal has a target, and so has every fragment', async () => {
  const pages = new Map<string, string>();
  const load = async (path: string) => {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const response = await fetch(`${address()}${path}`, { headers: { Accept: 'text/html' } });
    const text = response.ok ? await response.text() : '';
    pages.set(path, text);
    return text;
  };
  for (const from of [...prose, ...reference]) {
    const links = [...(await load(from)).matchAll(/<a [^>]*href="(\/docs[^"#]*)?(#[^"]*)?"/g)];
    for (const [, to = from, fragment = ''] of links) {
      expect(await load(to), `${from} links to ${to}`).not.toBe('');
      // Redoc renders its targets.
      if (fragment !== '' && fragment !== '#content' && to !== '/docs/redoc') {
        const hasTarget = (await load(to)).includes(`id="${fragment.slice(1)}"`);
        expect(hasTarget, `${from} links to ${to}${fragment}`).toBe(true);
      }
    }
  }
});
