import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../server/src/console/pages/index.ts';
import { linksOf } from '../links/support.ts';
import { scheduleRow } from '../schedules/support.ts';
import { api } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { walkByKeyboard } from '../support/keyboard.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { openConsole } from './support.ts';

/** A directory for screenshots, for manual review. */
const pictures = process.env['WRP_TEST_PICTURES'];
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const platform = await api({ clock: 'running' });
const { owner, world, given } = platform;
const executions = executionsOf(owner);
const define = async (name: string, states: object) =>
  (
    await given.workflowDefinition({
      workspace: world.workspace,
      name,
      definition: definitionOf(states as never),
    })
  ).id;
const failing = await executions.start({
  workflowDefinitionId: await define('failing', {
    Begin: { Type: 'Pass', Next: 'Both' },
    Both: {
      Type: 'Parallel',
      Branches: [
        definitionOf({ Break: { Type: 'Fail', Error: 'Test.Broken', Cause: 'It is broken.' } }),
        definitionOf({ Rest: { Type: 'Wait', Seconds: 60, End: true } }),
      ],
      End: true,
    },
  }),
  parameters: { claim: 'C-1', note: 'a longer value, which is in a section of its own '.repeat(3) },
});
await executions.ended(failing, 'FAILED');
// Lists are wider than a phone only with rows, whose actions are in the last column.
const schedule = scheduleRow(world, { name: 'nightly-batch', next_due_at: new Date('2100-01-01T00:00Z') });
await platform.database.insertInto('schedules').values(schedule).execute();
const links = linksOf(platform);
await links.link({ definition: await links.definition() });

let browser: Browser;
let context: BrowserContext;
let base: string;
beforeAll(async () => {
  browser = await launchBrowser();
  const opened = await openConsole(platform, { isOpened: false });
  base = opened.base;
  context = await browser.newContext();
  context.setDefaultTimeout(scaledTimeout(30_000));
  const page = await context.newPage();
  await page.goto(`${base}${opened.linkPath}`);
  expect(page.url()).toBe(`${base}/executions`);
  await page.close();
});
afterAll(() => browser?.close());

const problemsOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
};

describe.each(pages.map(({ path }) => path).filter((path) => path !== '/deliveries/:id'))('%s', (pattern) => {
  const path = pattern.replace(':id', failing.id);

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)('is accessible and fits a screen of %i pixels, %s', async (width, colorScheme) => {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${base}${path}`);
    expect(await problemsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(complaints).toEqual([]);
    if (pictures)
      await page.screenshot({
        path: join(pictures, `console${path.replaceAll('/', '-')}-${width}.png`),
        fullPage: true,
      });
    await page.close();
  });

  test('can be used by keyboard', async () => {
    const page = await context.newPage();
    await page.goto(`${base}${path}`);
    expect(await walkByKeyboard(page)).toBeGreaterThan(5);
    await page.close();
  });
});

test('a form cancels an execution, without scripts', async () => {
  const { id } = await executions.start({
    workflowDefinitionId: await define('cancelled', { Rest: { Type: 'Wait', Seconds: 3600, End: true } }),
  });
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await context.storageState(),
  });
  const page = await plain.newPage();
  await page.goto(`${base}/executions/${id}`);
  await page.getByText('Cancel', { exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the execution' }).click();
  await page.getByText('The execution is cancelled.').waitFor();
  await page.getByRole('link', { name: 'Continue' }).click();
  await page.getByText('CANCELLED', { exact: true }).waitFor();
  await plain.close();
});

test('the page of a running execution follows it, and keeps open what the reader has opened', async () => {
  const { id } = await executions.start({
    workflowDefinitionId: await define('followed', {
      First: { Type: 'Pass', Next: 'Rest' },
      Rest: { Type: 'Wait', Seconds: 4, Next: 'Last' },
      Last: { Type: 'Pass', End: true },
    }),
    parameters: { note: 'a longer value, which is in a section of its own '.repeat(3) },
  });
  const page = await context.newPage();
  await page.goto(`${base}/executions/${id}`);
  const first = page.locator('details', { has: page.locator('summary', { hasText: 'First' }) });
  await first.locator('summary').first().click();
  await page.locator('[data-part=summary] .pill.completed').waitFor();
  expect(await first.first().getAttribute('open')).not.toBeNull();
  expect(await page.locator('details[data-key=s2]').getAttribute('open')).toBeNull();
  expect(await page.title()).toContain('followed: COMPLETED');
  await page.close();
});

test('a state of the graph leads to its section, which opens', async () => {
  const page = await context.newPage();
  await page.goto(`${base}/executions/${failing.id}`);
  await page.locator('svg.graph a', { hasText: 'Begin' }).first().click();
  await page.locator('#s0').waitFor({ state: 'visible' });
  await page.close();
});
