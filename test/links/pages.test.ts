import { describe, expect, test } from 'vitest';
import { archiveDefinition } from '../../server/src/store/archived-definitions.ts';
import { api as startApi } from '../support/api.ts';
import { confirm, destination, formTokenOf, linksOf, page, tokenOf } from './support.ts';

const api = await startApi();
const { database, clock, baseUrl } = api;
const links = linksOf(api);
const definition = await links.definition();
const day = 86_400_000;

describe('opening a link', () => {
  test('shows the workflow and does not use up the link', async () => {
    const named = await links.definition({
      uiOptions: { title: { en: 'Send photos', fr: 'Envoyer des photos' }, description: 'Two will do.' },
    });
    const link = await links.link({ definition: named });
    await links.startsNothing(async () => {
      for (const method of ['GET', 'HEAD', 'GET']) {
        const headers = { 'Sec-Purpose': 'prefetch;prerender' };
        expect((await page(link, { method, headers })).status).toBe(200);
      }
    });
    const { text } = await page(link);
    for (const shown of ['Send photos', 'Two will do.', 'Claim 2026-0147: missing photos', 'Noor Haddad']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('26 November 2026 at 09:00 UTC');
    expect((await links.row(link)).used_at).toBeNull();
  });

  test('prevents caching, referrers, framing, indexing and external content', async () => {
    const { headers, text } = await page(await links.link({ definition }));
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex, nofollow',
    });
    const policy = headers.get('Content-Security-Policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; /);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(text).not.toMatch(/(src|href|action)="(https?:)?\/\//);
  });

  test('refuses a token that is not the stored one, as after a change of the server key: 404', async () => {
    const link = await links.link({ definition });
    const { id } = await links.row(link);
    const secret_sha256 = Buffer.alloc(32);
    await database.updateTable('links').set({ secret_sha256 }).where('id', '=', id).execute();
    expect((await page(link)).status).toBe(404);
    expect((await confirm(link, { form: 'x' })).status).toBe(404);
  });

  test('escapes all values', async () => {
    const nasty = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;
    const property = { type: 'string', title: nasty, description: nasty, default: nasty, enum: [nasty] };
    const evil = await links.definition({
      uiOptions: { title: nasty, description: nasty },
      inputSchema: {
        type: 'object',
        properties: { [nasty]: property, long: { ...property, enum: undefined } },
      },
    });
    const { id: caseId } = await links.case({ name: nasty, contact: { name: nasty, email: 'a@b.example' } });
    const { text } = await page(await links.link({ definition: evil, caseId, parameters: { more: nasty } }));
    expect(text).not.toContain('<img');
    expect(text.match(/<script>/g)).toHaveLength(1);
    expect(text.split('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;').length).toBeGreaterThan(8);
  });

  test('uses the chosen language, else that of the browser, else that of the definition', async () => {
    const languageOf = async (address: string, accept = '') => {
      const { text } = await page(address, { headers: { 'Accept-Language': accept } });
      return /<html lang="(\w+)">/.exec(text)?.[1];
    };
    const french = await links.link({ definition: await links.definition({ defaultLocale: 'fr-CA' }) });
    const german = await links.link({ definition: await links.definition({ defaultLocale: 'de' }) });
    expect(await languageOf(french, 'en')).toBe('en');
    expect(await languageOf(french, 'de')).toBe('fr');
    expect(await languageOf(french)).toBe('fr');
    expect(await languageOf(`${french}?lang=en`)).toBe('en');
    expect(await languageOf(`${french}?lang=xx`)).toBe('fr');
    expect(await languageOf(german)).toBe('en');
    expect(await languageOf(german, 'de, en;q=0.5, fr-CH;q=0.8')).toBe('fr');
  });
});

describe('a link that cannot be used', () => {
  const deadEnds: [string, number, string, () => Promise<string>][] = [
    ['is unknown', 404, 'Link not found', async () => `${baseUrl}/links/${'A'.repeat(64)}`],
    ['is incomplete', 404, 'Link not found', async () => (await links.link({ definition })).slice(0, -1)],
    [
      'has another secret',
      404,
      'Link not found',
      async () => {
        const link = await links.link({ definition });
        return link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');
      },
    ],
    [
      'has expired',
      410,
      'This link has expired',
      async () => {
        const link = await links.link({ definition });
        clock.forward(7 * day);
        return link;
      },
    ],
    [
      'was withdrawn',
      410,
      'This link has been withdrawn',
      async () => {
        const link = await links.link({ definition });
        const { id } = await links.row(link);
        await database.updateTable('links').set({ revoked_at: clock.now() }).where('id', '=', id).execute();
        return link;
      },
    ],
    [
      'was used',
      410,
      'This link has already been used',
      async () => {
        const link = await links.link({ definition });
        expect((await confirm(link, { form: formTokenOf(await page(link)) })).status).toBe(303);
        return link;
      },
    ],
    [
      'has an archived definition',
      410,
      'This form is no longer available',
      async () => {
        const archived = await links.definition();
        const link = await links.link({ definition: archived });
        await archiveDefinition(database, archived.id, clock.now());
        return link;
      },
    ],
    [
      'has nothing to start yet',
      503,
      'This form is not available yet',
      async () => {
        const empty = await links.definition();
        await database
          .deleteFrom('definition_revisions')
          .where('workflow_definition_id', '=', empty.id)
          .execute();
        return links.link({ definition: empty });
      },
    ],
  ];

  test.each(deadEnds)('because it %s: %i', async (_case, status, title, make) => {
    const link = await make();
    for (const method of ['GET', 'POST']) {
      const response = await page(link, {
        method,
        ...(method === 'POST' && { body: new URLSearchParams() }),
      });
      expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(response.status).toBe(status);
      expect(response.text).toContain(`<h1>${title}</h1>`);
    }
    expect((await page(link, { method: 'HEAD' })).status).toBe(status);
  });

  test('does not start from a page opened earlier: 410', async () => {
    const link = await links.link({ definition });
    const form = formTokenOf(await page(link));
    clock.forward(7 * day - 1);
    expect((await page(link)).status).toBe(200);
    clock.forward(1);
    await links.startsNothing(async () => {
      const { status, text } = await confirm(link, { form });
      expect([status, text]).toEqual([410, expect.stringContaining('This link has expired')]);
    });
  });

  test('rejects other methods: 405 with Allow', async () => {
    const response = await page(await links.link({ definition }), { method: 'DELETE' });
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('the progress page', () => {
  test('is not reachable with the link token or a guessed one: 404', async () => {
    const link = await links.link({ definition });
    await confirm(link, { form: formTokenOf(await page(link)) });
    for (const address of [
      `${baseUrl}/links/progress/${tokenOf(link)}`,
      `${baseUrl}/links/progress/${'A'.repeat(64)}`,
      `${baseUrl}/links/progress/x`,
      `${baseUrl}/links/progress/${tokenOf(link)}/result`,
    ]) {
      const { status, text } = await page(address);
      expect([status, text]).toEqual([404, expect.stringContaining('Page not found')]);
    }
  });

  test.each([
    ['FAILED', 'Failed', { error: 'Secret.Name', cause: 'secret cause' }],
    ['CANCELLED', 'Cancelled', {}],
    ['EXPIRED', 'Expired', {}],
  ] as const)('shows %s, and nothing of the inside', async (status, title, failure) => {
    const waiting = await links.definition({
      document: {
        QueryLanguage: 'JSONata',
        StartAt: 'Wait',
        States: { Wait: { Type: 'Wait', Seconds: 3600, End: true } },
      },
    });
    const link = await links.link({ definition: waiting });
    const progress = destination(link, await confirm(link, { form: formTokenOf(await page(link)) }));
    const running = await page(progress);
    expect(running.text).toContain('data-status="RUNNING"');
    expect(running.text).toContain('<noscript><meta http-equiv="refresh" content="3; url=?"></noscript>');
    expect((await page(`${progress}?refresh=off`)).text).not.toContain('http-equiv="refresh"');
    const { execution_id } = await links.row(link);
    await database
      .updateTable('executions')
      .set({ status, ended_at: clock.now(), ...failure })
      .where('id', '=', execution_id ?? '')
      .execute();
    const { text } = await page(progress);
    expect(text).toContain(`<p class="state ${status}">${title}</p>`);
    expect(text).not.toMatch(/secret/i);
    expect(text).not.toContain('http-equiv="refresh"');
  });
});

test('no log line contains a token', async () => {
  const link = await links.link({ definition });
  const progress = destination(link, await confirm(link, { form: formTokenOf(await page(link)) }));
  await page(progress);
  const log = JSON.stringify(api.log);
  expect(log).toContain('"entrance":"links"');
  expect(log).not.toContain(tokenOf(link));
  expect(log).not.toContain(tokenOf(progress));
});
