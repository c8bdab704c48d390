import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { claimSchema, confirm, destination, formTokenOf, linksOf, page, tokenOf } from './support.ts';

const api = await startApi();
const { owner, world, database, clock, baseUrl } = api;
const links = linksOf(api);
const definition = await links.definition();
const day = 86_400_000;

const executions = () => database.selectFrom('executions').select('id').execute();
/** What must not start anything. */
async function startsNothing(attempt: () => Promise<unknown>): Promise<void> {
  const before = (await executions()).length;
  const events = await eventsOf(database, attempt);
  // What was started before may end meanwhile.
  expect(events.filter(({ type }) => type === 'link.used' || type === 'workflow.started')).toEqual([]);
  expect(await executions()).toHaveLength(before);
}

describe('opening a link', () => {
  test('shows what it would start, and uses nothing up', async () => {
    const named = await links.definition({
      uiOptions: { title: { en: 'Send photos', fr: 'Envoyer des photos' }, description: 'Two will do.' },
    });
    const link = await links.link({ definition: named });
    await startsNothing(async () => {
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

  test('is for nobody else: no cache, no referrer, no frame, no index, nothing from outside', async () => {
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

  test('escapes whatever was given to it', async () => {
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

  test('is in the language of the definition, of the reader’s choice, else of the browser', async () => {
    const languageOf = async (address: string, accept = '') => {
      const { text } = await page(address, { headers: { 'Accept-Language': accept } });
      return /<html lang="(\w+)">/.exec(text)?.[1];
    };
    const french = await links.link({ definition: await links.definition({ defaultLocale: 'fr-CA' }) });
    const german = await links.link({ definition: await links.definition({ defaultLocale: 'de' }) });
    expect(await languageOf(french, 'en')).toBe('fr');
    expect(await languageOf(`${french}?lang=en`)).toBe('en');
    expect(await languageOf(`${french}?lang=xx`)).toBe('fr');
    expect(await languageOf(german)).toBe('en');
    expect(await languageOf(german, 'de, en;q=0.5, fr-CH;q=0.8')).toBe('fr');
  });
});

describe('a link that cannot be used', () => {
  const deadEnds: [string, number, string, () => Promise<string>][] = [
    ['is unknown', 404, 'This link is not known', async () => `${baseUrl}/links/${'A'.repeat(64)}`],
    [
      'is cut off',
      404,
      'This link is not known',
      async () => (await links.link({ definition })).slice(0, -1),
    ],
    [
      'has another secret',
      404,
      'This link is not known',
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
      'This link has been used',
      async () => {
        const link = await links.link({ definition });
        expect((await confirm(link, { form: formTokenOf(await page(link)) })).status).toBe(303);
        return link;
      },
    ],
    [
      'has nothing to start yet',
      503,
      'This cannot be started just now',
      async () => links.link({ definition: { ...world.workflowDefinition, workspace: world.workspace } }),
    ],
  ];

  test.each(deadEnds)('because it %s says so: %i', async (_why, status, title, make) => {
    const link = await make();
    for (const method of ['GET', 'POST']) {
      const answer = await page(link, { method, ...(method === 'POST' && { body: new URLSearchParams() }) });
      expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(answer.status).toBe(status);
      expect(answer.text).toContain(`<h1>${title}</h1>`);
    }
    expect((await page(link, { method: 'HEAD' })).status).toBe(status);
  });

  test('starts nothing when its page was open before: 410', async () => {
    const link = await links.link({ definition });
    const form = formTokenOf(await page(link));
    clock.forward(7 * day - 1);
    expect((await page(link)).status).toBe(200);
    clock.forward(1);
    await startsNothing(async () => {
      const { status, text } = await confirm(link, { form });
      expect([status, text]).toEqual([410, expect.stringContaining('This link has expired')]);
    });
  });

  test('takes no other method: 405 with Allow', async () => {
    const answer = await page(await links.link({ definition }), { method: 'DELETE' });
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('confirming', () => {
  test('starts the workflow as the contact, for the record of the case, and leads to its progress', async () => {
    const { id: caseId } = await links.case({ recordId: world.record.id });
    const link = await links.link({ definition, caseId, parameters: { a: 1, deep: { list: [1, null] } } });
    let answer: Awaited<ReturnType<typeof confirm>> | undefined;
    const events = await eventsOf(database, async () => {
      const opened = await page(link);
      const json = '{ "a": 1, "deep": { "list": [1, null] } }';
      answer = await confirm(link, { form: formTokenOf(opened), json });
    });
    const { id: linkId, execution_id: workflowId } = await links.row(link);
    const { data: execution } = await owner.GET('/workflows/{workflowId}', {
      params: { path: { workflowId: workflowId ?? '' } },
    });
    expect(execution).toMatchObject({
      workflowDefinitionId: definition.id,
      executionType: 'INTERACTIVE',
      origin: { workspaceId: world.workspace.id, type: 'LINK' },
      recordId: world.record.id,
      locale: 'en',
      parameters: { a: 1, deep: { list: [1, null] } },
    });
    expect(events.find(({ type }) => type === 'link.used')).toMatchObject({
      workspaceId: world.workspace.id,
      data: { linkId, caseId, workflowDefinitionId: definition.id, workflowId },
    });
    expect(events.some(({ type }) => type === 'workflow.started')).toBe(true);

    const progress = destination(link, answer as NonNullable<typeof answer>);
    expect(progress).toMatch(new RegExp(`^${baseUrl}/links/progress/[A-Za-z0-9_-]{64}$`));
    expect(tokenOf(progress)).not.toBe(tokenOf(link));
    await expect
      .poll(async () => (await page(progress)).text, { timeout: 15_000 })
      .toContain('data-status="COMPLETED"');
    const { text } = await page(progress);
    expect(text).toContain('noor.haddad@mail.example');
    expect(text).not.toContain('http-equiv="refresh"');
    const { headers, text: result } = await page(`${progress}/result`);
    expect(headers.get('Content-Disposition')).toContain('attachment');
    expect(JSON.parse(result)).toMatchObject({
      origin: { email: 'noor.haddad@mail.example', type: 'LINK' },
      workflowId,
    });
  });

  test('happens once of 50 at the same moment; the others see that it is used: 410', async () => {
    const link = await links.link({ definition });
    const views = await Promise.all(Array.from({ length: 5 }, async () => formTokenOf(await page(link))));
    const before = (await executions()).length;
    const events = await eventsOf(database, async () => {
      const clicks = Array.from({ length: 50 }, (_, index) =>
        confirm(link, { form: views[index % views.length] as string }),
      );
      const answers = await Promise.all(clicks);
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 303);
      expect(others.map(({ status }) => status)).toEqual(Array(49).fill(410));
      for (const { text } of others) expect(text).toContain('This link has been used');
      // Who clicked twice on the same page still gets to what the first click has started.
      const own = others.filter(({ text }) => text.includes('href="progress/'));
      expect(own).toHaveLength(9);
    });
    expect(await executions()).toHaveLength(before + 1);
    expect(events.filter(({ type }) => type === 'link.used')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'workflow.started')).toHaveLength(1);
  });

  test('has to come from our page: 403', async () => {
    const link = await links.link({ definition });
    const other = await links.link({ definition });
    const form = formTokenOf(await page(link));
    const foreign: [Record<string, string>, Record<string, string>][] = [
      [{}, {}],
      [{ form: '' }, {}],
      [{ form: form.slice(0, -1) }, {}],
      [{ form: formTokenOf(await page(other)) }, {}],
      [{ form }, { 'Sec-Fetch-Site': 'cross-site' }],
      [{ form }, { 'Sec-Fetch-Site': 'same-site' }],
      [{ form }, { Origin: 'https://evil.example' }],
    ];
    await startsNothing(async () => {
      for (const [fields, headers] of foreign) {
        const { status, text } = await confirm(link, fields, headers);
        expect([status, text]).toEqual([403, expect.stringContaining('Please start from the page itself')]);
      }
      const body = JSON.stringify({ form });
      const asJson = await page(link, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'application/json' },
      });
      expect(asJson.status).toBe(403);
    });
    expect((await confirm(link, { form }, { Origin: baseUrl })).status).toBe(303);
  });

  test('refuses more than 1 MiB: 413', async () => {
    const link = await links.link({ definition });
    const form = formTokenOf(await page(link));
    await startsNothing(async () => {
      const { status, text } = await confirm(link, { form, json: `"${'x'.repeat(1 << 20)}"` });
      expect([status, text]).toEqual([413, expect.stringContaining('That is too much')]);
    });
  });

  test('takes the language that was chosen for the execution', async () => {
    const link = await links.link({ definition });
    const chosen = `${link}?lang=fr`;
    const progress = destination(link, await confirm(chosen, { form: formTokenOf(await page(chosen)) }));
    const { execution_id } = await links.row(link);
    const row = await database
      .selectFrom('executions')
      .select('locale')
      .where('id', '=', execution_id ?? '')
      .executeTakeFirst();
    expect(row).toEqual({ locale: 'fr' });
    expect((await page(progress)).text).toContain('<html lang="fr">');
  });
});

describe('a form with problems', () => {
  const given = { claimNumber: '2026-0147', policy: 'M-1' };

  test('says them at the fields, keeps what was entered, and uses nothing up: 422', async () => {
    const claim = await links.definition({ inputSchema: claimSchema });
    const link = await links.link({ definition: claim, parameters: given });
    const entered = { 'f.holder': 'X', 'f.amount': 'much', 'f.people': '12', 'f.cause': '"theft"' };
    await startsNothing(async () => {
      const opened = await page(link);
      const form = formTokenOf(opened);
      const { status, text } = await confirm(link, { form, ...entered, 'f.email': 'nobody' });
      expect(status).toBe(422);
      expect(text).toContain('<title>Error: ');
      for (const problem of [
        'Your name: Enter at least 2 characters.',
        'Estimated damage: Enter a number.',
        'People in the car: Enter 9 or less.',
        'Your e-mail address: Enter an e-mail address',
        'Was somebody injured?: Please choose one.',
      ]) {
        expect(text).toContain(problem);
      }
      expect(text).toContain('value="much"');
      expect(text).toContain('<option value="&quot;theft&quot;" selected>A theft</option>');
      expect(text.match(/aria-invalid="true"/g)).toHaveLength(4);
    });

    const right = { 'f.amount': '1250,50', 'f.cause': '"theft"', 'f.injured': 'false', 'f.people': '' };
    const form = formTokenOf(await page(link));
    // A field that is not to be changed is not, whatever is sent for it.
    await confirm(link, {
      form,
      ...right,
      'f.claimNumber': 'other',
      'f.policy': 'other',
      'f.callBack': 'true',
    });
    const { execution_id } = await links.row(link);
    const row = await database
      .selectFrom('executions')
      .select('parameters')
      .where('id', '=', execution_id ?? '')
      .executeTakeFirst();
    expect(row?.parameters).toEqual({
      ...{ ...given, amount: 1250.5, cause: 'theft', injured: false, callBack: true },
    });
  });

  test.each([
    ['no JSON', '{"a":', 'This is not valid JSON.'],
    ['no object', '[1]', 'This cannot be accepted: must be object.'],
    ['a NUL', '{"a":"\\u0000"}', 'This holds characters'],
    ['too deep', `${'[['.repeat(300)}${']]'.repeat(300)}`, 'This holds characters'],
  ])('as JSON: %s', async (_what, json, sentence) => {
    const open = await links.definition({ inputSchema: { type: 'object' } });
    const link = await links.link({ definition: open });
    await startsNothing(async () => {
      const { status, text } = await confirm(link, { form: formTokenOf(await page(link)), json });
      expect([status, text]).toEqual([422, expect.stringContaining(sentence)]);
    });
  });
});

describe('the progress page', () => {
  test('is not to be had with the link, nor by guessing: 404', async () => {
    const link = await links.link({ definition });
    await confirm(link, { form: formTokenOf(await page(link)) });
    for (const address of [
      `${baseUrl}/links/progress/${tokenOf(link)}`,
      `${baseUrl}/links/progress/${'A'.repeat(64)}`,
      `${baseUrl}/links/progress/x`,
      `${baseUrl}/links/progress/${tokenOf(link)}/result`,
    ]) {
      const { status, text } = await page(address);
      expect([status, text]).toEqual([404, expect.stringContaining('There is nothing to see here')]);
    }
  });

  test.each([
    ['FAILED', 'Not successful', { error: 'Secret.Name', cause: 'secret cause' }],
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
    expect(running.text).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
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

test('no line of the log holds a token', async () => {
  const link = await links.link({ definition });
  const progress = destination(link, await confirm(link, { form: formTokenOf(await page(link)) }));
  await page(progress);
  const log = JSON.stringify(api.log);
  expect(log).toContain('"page":"link"');
  expect(log).not.toContain(tokenOf(link));
  expect(log).not.toContain(tokenOf(progress));
});
