import { describe, expect, test } from 'vitest';
import { exampleFrontend } from '../../scripts/mock/example-frontend.ts';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { readers, violations, widthOf } from '../portal/support.ts';
import { served, statefulMock, theBundle } from './support.ts';

const examples = await exampleMock(await theBundle(), exampleFrontend);
const stateless = await served(examples.listener);
const { baseUrl: stateful } = await statefulMock();

describe.each([
  { name: 'without state', base: stateless, links: ['/openapi.json', '/__mock/frontend/'] },
  {
    name: 'with state',
    base: stateful,
    links: ['/openapi.json', '/__mock/frontend/', '/docs', '/docs/mock'],
  },
])('the page of the mock $name', ({ base, links }) => {
  const open = readers(() => base);
  const add = (fault: object) =>
    fetch(`${base}/__mock/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fault),
    });

  test.each([
    { colorScheme: 'light' as const, viewport: { width: 1440, height: 900 } },
    { colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } },
  ])(
    'is accessible, and clears its faults with the keyboard: $colorScheme, $viewport.width wide',
    async (options) => {
      const page = await open('/__mock', options);
      await page.getByText('None.').waitFor();
      await add({ operation: 'createAttachment', status: 503, times: 2 });
      await add({ drop: 'response', delaySeconds: 1.5, share: 0.2 });
      await page.reload();
      expect(await violations(page)).toEqual([]);
      expect(await widthOf(page)).toBeLessThanOrEqual(options.viewport.width);
      const clear = page.getByRole('button', { name: 'Clear all faults' });
      for (let presses = 0; presses < 20; presses += 1) {
        if (await clear.evaluate((button) => button === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      await page.getByText('None.').waitFor();
      expect(await violations(page)).toEqual([]);
    },
  );

  test('links to what the mock serves', async () => {
    const page = await open('/__mock');
    const found = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(found).toEqual(links);
    for (const link of links) expect((await fetch(base + link)).status, link).toBe(200);
  });
});
