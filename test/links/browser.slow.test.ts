import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { launchBrowser } from '../support/browser.ts';
import { bringForward } from '../support/jobs.ts';
import { walkByKeyboard } from '../support/keyboard.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { claimSchema, linksOf } from './support.ts';

/** A directory for screenshots, for manual review. */
const pictures = process.env['WRP_TEST_PICTURES'];
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const api = await startApi();
const links = linksOf(api);
const uiOptions = {
  title: { en: 'Tell us about your accident', fr: 'Déclarer votre sinistre' },
  description: {
    en: 'A few questions help us to settle your claim. It takes about five minutes.',
    fr: 'Quelques questions nous aident à régler votre sinistre. Comptez cinq minutes.',
  },
  fields: {
    claimNumber: { title: { fr: 'Numéro de sinistre', en: 'Claim number' } },
    holder: { title: { fr: 'Votre nom', en: 'Your name' } },
    cause: {
      title: { fr: 'Que s’est-il passé ?', en: 'What happened' },
      options: { glass: { fr: 'Un bris de glace', en: 'Broken glass' } },
    },
  },
};
const claim = await links.definition({ inputSchema: claimSchema, uiOptions });
const parameters = { claimNumber: '2026-0147', holder: 'Noor Haddad', policy: 'M-20418' };

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** Collects console errors and requests to other origins. */
interface Watched {
  page: Page;
  complaints: string[];
  outside: string[];
  close(): Promise<void>;
}

async function open(address: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(scaledTimeout(30_000));
  const page = await context.newPage();
  const [complaints, outside]: [string[], string[]] = [[], []];
  await context.route('**', (route) => {
    const url = route.request().url();
    if (url.startsWith(api.baseUrl) || url.startsWith('data:')) return route.continue();
    outside.push(url);
    return route.abort();
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // The browser logs a 410 response as an error.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      complaints.push(message.text());
  });
  await page.goto(address);
  return { page, complaints, outside, close: () => context.close() };
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations: found } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('What happened').selectOption({ label: 'Broken glass' });
  await page.getByLabel('Estimated damage').fill('480,50');
  await page.getByRole('radio', { name: 'No' }).check();
  await page.getByLabel('Please call me back').check();
  await page.getByLabel('Day of the accident').fill('2026-11-02');
  await page.getByLabel('Remarks').fill('Small stone on the motorway.\nThe crack grows.');
}

const expected = {
  ...parameters,
  happenedOn: '2026-11-02',
  cause: 'glass',
  amount: 480.5,
  injured: false,
  callBack: true,
  remarks: 'Small stone on the motorway.\nThe crack grows.',
};

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_name, javaScriptEnabled) => {
  test('fills in the form, starts the execution and shows its result', async () => {
    const link = await links.link({ definition: claim, parameters });
    const { page, complaints, outside, close } = await open(link, { javaScriptEnabled });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tell us about your accident');
    expect(await page.getByLabel('Your name').inputValue()).toBe('Noor Haddad');
    await fillIn(page);

    await page.getByLabel('People in the car').fill('40');
    if (javaScriptEnabled) {
      for (const name of ['Français', 'English']) {
        await page.getByRole('link', { name }).click();
        await page.getByText(name, { exact: true }).and(page.locator('[aria-current]')).waitFor();
        expect(await page.getByLabel(/Remarks/).inputValue()).toContain('The crack grows.');
      }
    }
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor();
    expect(await page.title()).toMatch(/^Error: /);
    await page.getByRole('link', { name: /People in the car/ }).click();
    const people = page.getByLabel('People in the car');
    expect(await people.getAttribute('aria-invalid')).toBe('true');
    expect(await people.evaluate((input) => input.matches(':target, :focus'))).toBe(true);
    await people.fill('');
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Completed').first().waitFor();
    expect(page.url()).toContain('/links/progress/');
    expect(await page.getByText('Small stone on the motorway.').isVisible()).toBe(true);
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    const { execution_id } = await links.row(link);
    const row = await api.database
      .selectFrom('executions')
      .select('parameters')
      .where('id', '=', execution_id ?? '')
      .executeTakeFirst();
    expect(row?.parameters).toEqual(expected);

    await page.goto(link);
    await page.getByRole('heading', { name: 'This link has already been used' }).waitFor();
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
    await close();
  });

  test('shows and reads times in the time zone of the reader, or says that they are in UTC', async () => {
    const moment = { type: 'string', format: 'date-time' };
    const definition = await links.definition({
      inputSchema: {
        type: 'object',
        properties: { seen: moment, reported: { ...moment, title: 'Reported' } },
      },
      uiOptions: { fields: { seen: { title: { en: 'First seen', fr: 'Constaté le' } } } },
    });
    const given = { seen: '2026-07-01T12:00:05.250Z' };
    const link = await links.link({ definition, parameters: given });
    const reader = { javaScriptEnabled, locale: 'fr-CA', timezoneId: 'America/New_York' };
    const { page, complaints, close } = await open(link, reader);
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    const zone = javaScriptEnabled ? 'Votre heure locale (America/New_York).' : 'Heure en UTC.';
    expect(await page.locator('.hint').allTextContents()).toEqual([zone, zone]);
    expect(await page.locator('time').textContent()).toMatch(javaScriptEnabled ? /UTC[−-]\d$/ : /UTC$/);
    expect(await page.getByLabel('Constaté le').inputValue()).toBe(
      javaScriptEnabled ? '2026-07-01T08:00:05' : '2026-07-01T12:00:05',
    );
    // Browsers ask for seconds only if the given value has them.
    expect(await page.getByLabel('Constaté le').getAttribute('step')).toBe('1');
    expect(await page.getByLabel('Reported').getAttribute('step')).toBeNull();
    await page.getByLabel('Reported').fill('2026-07-02T09:30');
    await page.getByRole('button', { name: 'Envoyer' }).click();
    await page.getByText('Terminé').first().waitFor();
    const { execution_id } = await links.row(link);
    const row = await api.database
      .selectFrom('executions')
      .select(['parameters', 'locale'])
      .where('id', '=', execution_id ?? '')
      .executeTakeFirst();
    const reported = javaScriptEnabled ? '2026-07-02T13:30:00Z' : '2026-07-02T09:30:00Z';
    expect(row).toEqual({ parameters: { ...given, reported }, locale: 'fr' });
    // The result's properties have the definition's titles.
    expect(await page.locator('dt').allTextContents()).toContain('Constaté le');
    expect(complaints).toEqual([]);
    await close();
  });

  test('the page of a running execution refreshes until it ends', async () => {
    const short = await links.definition({
      document: {
        QueryLanguage: 'JSONata',
        StartAt: 'Wait',
        States: { Wait: { Type: 'Wait', Seconds: 600, Output: { decision: 'paid' }, End: true } },
      },
    });
    const link = await links.link({ definition: short });
    const { page, complaints, outside, close } = await open(link, { javaScriptEnabled });
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Running').first().waitFor();
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    else expect(await page.getByRole('link', { name: 'Stop refreshing' }).isVisible()).toBe(true);
    // The status is RUNNING before the Wait state starts.
    const { execution_id } = await links.row(link);
    await until(async () => {
      const waiting = api.database.selectFrom('threads').select('id').where('awaiting', '=', 'wait');
      return (await waiting.where('execution_id', '=', execution_id ?? '').execute()).length === 1;
    });
    await bringForward(api.database, 'execution-step', 600);
    await page.getByText('paid').waitFor();
    expect(await page.title()).toMatch(/^Completed: /);
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
    await close();
  });

  test('a double click starts one execution and leads to it', async () => {
    const link = await links.link({ definition: claim, parameters });
    const { page, close } = await open(link, { javaScriptEnabled });
    await fillIn(page);
    await page.getByRole('button', { name: 'Submit' }).dblclick();
    // Without JavaScript, the response may be that of the second click, which links to the execution.
    const follow = page.getByRole('link', { name: 'You submitted it' });
    await page.getByText('Completed').or(follow).first().waitFor();
    if (await follow.isVisible()) await follow.click();
    await page.getByText('Completed').first().waitFor();
    await close();
  });
});

describe('every page', () => {
  const used = 'A'.repeat(64);
  const addresses: [string, () => Promise<string>][] = [
    ['form', () => links.link({ definition: claim, parameters })],
    ['form-fr', async () => `${await links.link({ definition: claim, parameters })}?lang=fr`],
    ['json', async () => links.link({ definition: await links.definition(), parameters: { claim: 'C-17' } })],
    ['unknown', async () => `${api.baseUrl}/links/${used}`],
  ];
  const looks = [
    ['wide', 'light'],
    ['wide', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const;

  test.each(looks)('fits, is accessible and loads nothing external at %s, %s', async (width, colorScheme) => {
    const viewport = width === 'wide' ? { width: 1280, height: 900 } : { width: 390, height: 844 };
    for (const [name, make] of addresses) {
      const { page, complaints, outside, close } = await open(await make(), { viewport, colorScheme });
      expect(await violations(page), name).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, name).toBeLessThanOrEqual(0);
      await picture(page, `${name}-${width}-${colorScheme}`);
      if (name === 'form') {
        await page.getByLabel('What happened').selectOption({ label: 'A theft' });
        await page.getByRole('radio', { name: 'Yes' }).check();
        await page.getByLabel('Estimated damage').fill('-5');
        await page.getByRole('button').click();
        await page.getByRole('alert').waitFor();
        expect(await violations(page), 'problems').toEqual([]);
        await picture(page, `problems-${width}-${colorScheme}`);
        await page.getByLabel('Estimated damage').fill('1840');
        await page.getByRole('button').click();
        await page.getByText('Completed').first().waitFor();
        expect(await violations(page), 'result').toEqual([]);
        await picture(page, `result-${width}-${colorScheme}`);
      }
      expect({ complaints, outside }, name).toEqual({ complaints: [], outside: [] });
      await close();
    }
  });

  test.each(['RUNNING', 'FAILED', 'CANCELLED', 'EXPIRED'] as const)(
    'of an execution that is %s',
    async (status) => {
      const slow = await links.definition({
        uiOptions,
        document: {
          QueryLanguage: 'JSONata',
          StartAt: 'Wait',
          States: { Wait: { Type: 'Wait', Seconds: 3600, End: true } },
        },
      });
      const link = await links.link({ definition: slow });
      const { page, complaints, close } = await open(link, {
        colorScheme: status === 'FAILED' ? 'dark' : 'light',
      });
      await page.getByRole('button', { name: 'Submit' }).click();
      await page.getByText('Running').first().waitFor();
      if (status !== 'RUNNING') {
        const { execution_id } = await links.row(link);
        await api.database
          .updateTable('executions')
          .set({ status, ended_at: api.clock.now() })
          .where('id', '=', execution_id ?? '')
          .execute();
        await page.locator(`#progress[data-status=${status}]`).waitFor();
      }
      expect(await violations(page)).toEqual([]);
      await picture(page, `progress-${status.toLowerCase()}`);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});

describe('by keyboard alone', () => {
  const viewports = [
    ['wide', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const;

  test.each(viewports)(
    'the form and the error pages show the focus, in order, to the end: %s',
    async (_width, viewport) => {
      const { page, complaints, close } = await open(await links.link({ definition: claim, parameters }), {
        viewport,
      });
      expect(await walkByKeyboard(page), 'form').toBeGreaterThan(8);
      for (const path of [`/links/${'A'.repeat(64)}`, '/links/progress/unknown']) {
        await page.goto(`${api.baseUrl}${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await walkByKeyboard(page), path).toBeGreaterThan(0);
      }
      expect(complaints).toEqual([]);
      await close();
    },
  );

  test.each(viewports)(
    'the summary of the problems has the focus and leads to each field: %s',
    async (_width, viewport) => {
      const { page, complaints, close } = await open(await links.link({ definition: claim, parameters }), {
        viewport,
      });
      // The browser's own check would keep the form from being sent.
      await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
      await page.getByRole('button', { name: 'Submit' }).press('Enter');
      const summary = page.getByRole('alert');
      const hasFocus = (element: Locator) => element.evaluate((one) => one === document.activeElement);
      await expect.poll(() => hasFocus(summary)).toBe(true);
      expect(await summary.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe('solid');
      const entries = await summary.getByRole('link').all();
      expect(entries).toHaveLength(3);
      for (const entry of entries) {
        const field = page.locator(`[id="${(await entry.getAttribute('href'))?.slice(1)}"]`);
        await entry.press('Enter');
        expect(await hasFocus(field)).toBe(true);
        // The browser scrolls to the input: its label and its problem must be in view too.
        const whole = page.locator('.field', { has: field });
        expect(await whole.evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
        // A group of radio buttons names its problem for all of them.
        const described = field.locator('xpath=ancestor-or-self::*[@aria-describedby][1]');
        const ids = (await described.getAttribute('aria-describedby'))?.split(' ') ?? [];
        expect(await page.locator(`#${ids.at(-1)}`).getAttribute('class')).toBe('problem');
      }
      expect(await walkByKeyboard(page), 'the form with problems').toBeGreaterThan(11);
      expect(complaints).toEqual([]);
      await close();
    },
  );
});
