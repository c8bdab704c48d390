import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import contract from '../../generated/openapi.json' with { type: 'json' };
import { readers, servedPortal, violations } from './support.ts';

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
    expect(await page.getByText('Try it in the sandbox').first().isVisible()).toBe(false);
  });

  test('remembers the language of samples on every page', async () => {
    const page = await open('/docs/reference/users');
    await sample(page, 'listUsers').getByText('TypeScript', { exact: true }).click();
    expect(await sample(page, 'reinstateUser').innerText()).toContain('client.POST(');
    await page.goto(`${address()}/docs/reference/workflows`);
    expect(await sample(page, 'startWorkflow').innerText()).toContain('createClient(');
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

  test('copies the panel that is shown', async () => {
    const page = await open('/docs/reference/users', { permissions: ['clipboard-read', 'clipboard-write'] });
    const shown = sample(page, 'listUsers');
    await shown.getByText('Python', { exact: true }).click();
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^import json\nimport os\n/);
  });

  test.each([wide, phone])('frames all code in the same way, at %o', async (viewport) => {
    const page = await open('/docs/reference/workflows', { viewport });
    const measured = new Set<string>();
    for (const path of [
      '/docs/reference/workflows',
      '/docs',
      '/docs/quick-start',
      '/docs/client',
      '/docs/mock',
    ]) {
      await page.goto(`${address()}${path}`);
      const frames = await page.locator('.code:visible').evaluateAll((all) =>
        all.map((frame) => {
          const { top, right } = frame.getBoundingClientRect();
          const [title, copy] = ['.bar > strong', '.copy'].map((part) =>
            frame.querySelector(part)?.getBoundingClientRect(),
          );
          if (!title || !copy || title.width === 0) return 'no title or copy button';
          return [title.top - top, copy.top - top, right - copy.right].map(Math.round).join();
        }),
      );
      expect(frames.length, path).toBeGreaterThan(1);
      // The frames of the first request share a border.
      for (const frame of frames) measured.add(path === '/docs' ? frame.replace(/^0/, '1') : frame);
    }
    expect([...measured]).toHaveLength(1);
  });

  test.each([true, false])('offers examples with long names as a list, with scripts: %s', async (scripts) => {
    const page = await open('/docs/reference/workflows', { viewport: phone, javaScriptEnabled: scripts });
    const frame = section(page, 'getWorkflow').getByRole('group', { name: 'Example response 200' });
    const list = frame.getByRole('combobox');
    const names = await list.locator('option').allTextContents();
    expect(names.length).toBeGreaterThan(3);
    for (const [index, name] of names.entries()) {
      await list.selectOption(name);
      const panels = await frame.locator('pre').all();
      const shown = await Promise.all(panels.map((panel) => panel.isVisible()));
      expect(shown.flatMap((one, at) => (one ? [at] : []))).toEqual([index]);
    }
  });

  test('folds fields that are nested deeper than one level, without scripts', async () => {
    const page = await open('/docs/reference/users', { javaScriptEnabled: false });
    const field = (path: string) =>
      section(page, 'listUsers').locator('dt > code').getByText(path, { exact: true });
    expect(await field('content[].profile').isVisible()).toBe(true);
    expect(await field('content[].profile.firstName').isVisible()).toBe(false);
    await page.getByText('9 nested fields').first().click();
    expect(await field('content[].profile.firstName').isVisible()).toBe(true);
  });

  test.each([
    ['light', phone.width],
    ['dark', phone.width],
    ['light', 671],
  ] as const)(
    'in Redoc, %s and %i pixels wide, has a labelled bar for its operations, over no text, and the search of the portal alone',
    async (colorScheme, width) => {
      const viewport = { ...phone, width };
      const page = await open('/docs/redoc', { viewport, colorScheme });
      const title = page.getByRole('heading', { level: 1 }).last();
      await page.locator('#redoc main').getByRole('button', { name: 'Copy' }).first().waitFor();
      const button = page.getByRole('button', { name: 'Operations', exact: true });
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect(await button.boundingBox()).toEqual({ x: 0, y: 56, width, height: 44 });
      expect((await title.boundingBox())?.y).toBeGreaterThan(y + height);
      expect(await title.evaluate((one) => getComputedStyle(one).fontSize)).toBe('28px');
      expect(await page.getByTestId('search-trigger').isVisible()).toBe(false);
      expect(await violations(page)).toEqual([]);
      for (const [expanded, key] of [
        ['true', 'Enter'],
        ['false', 'Space'],
        ['true', 'Enter'],
      ] as const) {
        await button.press(key);
        await expect.poll(() => button.getAttribute('aria-expanded')).toBe(expanded);
      }
      const menu = page.getByRole('navigation', { name: 'Operations' });
      expect((await menu.boundingBox())?.y).toBe(y + height);
      expect(await violations(page)).toEqual([]);
      await menu.getByText('Users', { exact: true }).click();
      await menu.getByText('Terminate a user').click();
      const heading = page.locator('#redoc main').getByRole('heading', { name: 'Terminate a user' }).first();
      await expect.poll(async () => (await heading.boundingBox())?.y).toBeLessThan(300);
      expect((await heading.boundingBox())?.y).toBeGreaterThan(y + height);
    },
  );

  test('in Redoc, begins with the servers, without a card for the license alone', async () => {
    const page = await open('/docs/redoc', { viewport: { width: 672, height: 844 } });
    await page.getByTestId('right-panel').first().waitFor();
    expect(await page.getByRole('button', { name: 'Operations' }).isVisible()).toBe(false);
    expect(await page.getByTestId('panel-overview').count()).toBe(0);
    expect(await page.getByTestId('right-panel').first().innerText()).toMatch(/^Servers/);
  });

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
    await page.locator('.menu-content').waitFor();
    const [, operation] = path.split('#/');
    if (operation) await page.locator(`[id="${operation}/responses"]`).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([
      expect.stringContaining(contract.info.title),
    ]);
  });
});
