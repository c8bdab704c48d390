import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { claimSchema, confirm, destination, formTokenOf, linksOf, page, tokenOf } from './support.ts';

const api = await startApi();
const { owner, world, database, baseUrl } = api;
const links = linksOf(api);
const definition = await links.definition();

describe('confirming', () => {
  test('starts the workflow for the contact and record of the case, and redirects to its progress', async () => {
    const { id: caseId } = await links.case({ recordId: world.record.id });
    const link = await links.link({ definition, caseId, parameters: { a: 1, deep: { list: [1, null] } } });
    let response: Awaited<ReturnType<typeof confirm>> | undefined;
    const events = await eventsOf(database, async () => {
      const opened = await page(link);
      const json = '{ "a": 1, "deep": { "list": [1, null] } }';
      response = await confirm(link, { form: formTokenOf(opened), json });
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

    const progress = destination(link, response as NonNullable<typeof response>);
    expect(progress).toMatch(new RegExp(`^${baseUrl}/links/progress/[A-Za-z0-9_-]{64}$`));
    expect(tokenOf(progress)).not.toBe(tokenOf(link));
    await expect.poll(async () => (await page(progress)).text).toContain('data-status="COMPLETED"');
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

  test('succeeds for one of 50 concurrent requests; the others get 410', async () => {
    const link = await links.link({ definition });
    const views = await Promise.all(Array.from({ length: 5 }, async () => formTokenOf(await page(link))));
    const before = (await links.executions()).length;
    const events = await eventsOf(database, async () => {
      const clicks = Array.from({ length: 50 }, (_, index) =>
        confirm(link, { form: views[index % views.length] as string }),
      );
      const responses = await Promise.all(clicks);
      expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
      const others = responses.filter(({ status }) => status !== 303);
      expect(others.map(({ status }) => status)).toEqual(Array(49).fill(410));
      for (const { text } of others) expect(text).toContain('This link has already been used');
      // After a double click, the page links to the started execution.
      const own = others.filter(({ text }) => text.includes('href="progress/'));
      expect(own).toHaveLength(9);
    });
    expect(await links.executions()).toHaveLength(before + 1);
    expect(events.filter(({ type }) => type === 'link.used')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'workflow.started')).toHaveLength(1);
  });

  test('requires the form of the page: 403', async () => {
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
    await links.startsNothing(async () => {
      for (const [fields, headers] of foreign) {
        const { status, text } = await confirm(link, fields, headers);
        expect([status, text]).toEqual([403, expect.stringContaining('Submit the form on the page itself')]);
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

  test('rejects more than 1 MiB: 413', async () => {
    const link = await links.link({ definition });
    const form = formTokenOf(await page(link));
    await links.startsNothing(async () => {
      const { status, text } = await confirm(link, { form, json: `"${'x'.repeat(1 << 20)}"` });
      expect([status, text]).toEqual([413, expect.stringContaining('Too much data')]);
    });
  });

  test('uses the chosen language for the execution', async () => {
    const link = await links.link({ definition });
    const chosen = `${link}?lang=fr`;
    const progress = destination(link, await confirm(chosen, { form: formTokenOf(await page(chosen)) }));
    expect(await links.execution(link)).toMatchObject({ locale: 'fr' });
    expect((await page(progress)).text).toContain('<html lang="fr">');
  });
});

describe('an invalid form', () => {
  const given = { claimNumber: '2026-0147', policy: 'M-1' };

  test('shows errors at the fields, keeps the input and does not use up the link: 422', async () => {
    const claim = await links.definition({ inputSchema: claimSchema });
    const link = await links.link({ definition: claim, parameters: given });
    const entered = { 'f.holder': 'X', 'f.amount': 'much', 'f.people': '12', 'f.cause': '"theft"' };
    await links.startsNothing(async () => {
      const opened = await page(link);
      const form = formTokenOf(opened);
      const { status, text } = await confirm(link, { form, ...entered, 'f.email': 'nobody' });
      expect(status).toBe(422);
      expect(text).toContain('<title>Error: ');
      for (const problem of [
        'Your name: Enter at least 2 characters.',
        'Estimated damage: Enter a number.',
        'People in the car: Enter 9 or less.',
        'Your e-mail address: Enter an email address',
        'Was somebody injured? Please choose one.',
      ]) {
        expect(text).toContain(problem);
      }
      expect(text).toContain('value="much"');
      expect(text).toContain('<option value="&quot;theft&quot;" selected>A theft</option>');
      expect(text.match(/aria-invalid="true"/g)).toHaveLength(4);
    });

    const right = { 'f.amount': '1250,50', 'f.cause': '"theft"', 'f.injured': 'false', 'f.people': '' };
    const form = formTokenOf(await page(link));
    // A read-only field keeps its value, whatever is sent.
    await confirm(link, {
      form,
      ...right,
      'f.claimNumber': 'other',
      'f.policy': 'other',
      'f.callBack': 'true',
    });
    const parameters = { ...given, amount: 1250.5, cause: 'theft', injured: false, callBack: true };
    expect((await links.execution(link)).parameters).toEqual(parameters);
  });

  test('is shown in another language with what was entered, without starting anything', async () => {
    const claim = await links.definition({ inputSchema: claimSchema });
    const link = await links.link({ definition: claim, parameters: given });
    await links.startsNothing(async () => {
      const form = formTokenOf(await page(link));
      const entered = { form, 'f.amount': 'much', 'f.cause': '"theft"', redisplay: '' };
      const { status, text } = await confirm(`${link}?lang=fr`, entered);
      expect(status).toBe(200);
      expect(text).toContain('<html lang="fr">');
      expect(text).toContain('value="much"');
      expect(text).toContain('<option value="&quot;theft&quot;" selected>A theft</option>');
      expect(text).not.toContain('aria-invalid="true"');
    });
  });

  test.each([
    ['not JSON', '{"a":', 'This is not valid JSON.'],
    ['not an object', '[1]', 'This is not valid: must be an object.'],
    ['a NUL', '{"a":"\\u0000"}', 'This contains characters'],
    ['too deep', `${'[['.repeat(300)}${']]'.repeat(300)}`, 'This contains characters'],
  ])('reports JSON errors: %s', async (_case, json, sentence) => {
    const open = await links.definition({ inputSchema: { type: 'object' } });
    const link = await links.link({ definition: open });
    await links.startsNothing(async () => {
      const { status, text } = await confirm(link, { form: formTokenOf(await page(link)), json });
      expect([status, text]).toEqual([422, expect.stringContaining(sentence)]);
    });
  });

  test('a read-only field without a value can be entered', async () => {
    const claim = await links.definition({ inputSchema: { ...claimSchema, required: ['claimNumber'] } });
    const link = await links.link({ definition: claim });
    const opened = await page(link);
    expect(opened.text).toContain('name="f.claimNumber"');
    const form = formTokenOf(opened);
    expect((await confirm(link, { form })).status).toBe(422);
    expect((await confirm(link, { form, 'f.claimNumber': 'C-1' })).status).toBe(303);
  });
});

describe('a form', () => {
  const port = Number(new URL(baseUrl).port);
  const headOf = (link: string) =>
    `POST ${new URL(link).pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1048576\r\n\r\n`;

  test.each([
    ['was not made here', async () => `${baseUrl}/links/${'A'.repeat(64)}`],
    [
      'has been deleted',
      async () => {
        const link = await links.link({ definition });
        const { id } = await links.row(link);
        await database.deleteFrom('links').where('id', '=', id).execute();
        return link;
      },
    ],
  ])('is rejected without reading its body if the link %s', async (_case, linkOf) => {
    const link = await linkOf();
    // The form's body is never sent.
    expect(await sendRaw(port, [headOf(link)])).toMatchObject({ status: 404, ended: true });
    const sent = await sendRaw(port, [headOf(link), Buffer.alloc(1 << 20, 'a')]);
    expect(sent).toMatchObject({ status: 404, ended: true });
  });

  test('with too many fields is rejected before it is parsed', async () => {
    const link = await links.link({ definition });
    const token = formTokenOf(await page(link));
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' };
    const send = (fields: number) =>
      page(link, { method: 'POST', headers, body: `form=${token}${'&a'.repeat(fields)}` });
    expect((await send(500_000)).status).toBe(413);
    expect((await links.row(link)).used_at).toBeNull();
    expect((await send(1_000)).status).toBe(303);
  });
});
