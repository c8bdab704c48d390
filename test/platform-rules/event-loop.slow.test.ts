import { beforeAll, describe, expect, test } from 'vitest';
import { confirm, formTokenOf, linksOf, page } from '../links/support.ts';
import { api as startApi } from '../support/api.ts';
import { badForms, boundary, filePart, form } from '../support/hostile/forms.ts';
import { expensiveForms, expensivePages, fewFields } from '../support/hostile/link-pages.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../support/raw-requests.ts';
import { testHostileBodies } from './hostile-bodies.ts';

const api = await startApi();
const { world, owner, given, log } = api;
const links = linksOf(api);

testHostileBodies(api, 'others');

describe('the page of a link', () => {
  async function linkTo(inputSchema: object, parameters?: unknown) {
    return links.link({ definition: await links.definition({ inputSchema }), parameters });
  }
  /** Sends a form as bytes: making them is not measured. */
  const submit = (link: string, body: string) => {
    const { origin, pathname } = new URL(link);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'null' };
    return send(origin, { method: 'POST', target: pathname, headers, body: Buffer.from(body) });
  };
  beforeAll(async () => {
    const link = await linkTo(fewFields, { other: { a: [1] } });
    await confirm(link, { form: formTokenOf(await page(link)), 'f.amount': 'x' });
  });

  test.each(expensiveForms)('takes %s', async (_what, fields, refused = 422) => {
    const link = await linkTo(fewFields);
    // The first value of a field counts.
    const form = `form=${formTokenOf(await page(link))}&${fields}&f.amount=x`;
    const { status } = await expectShortStretches(() => submit(link, form));
    expect(status).toBe(refused);
  });

  test.each(expensivePages)('shows %s', async (_what, schema, parameters) => {
    const link = await linkTo({ type: 'object', ...schema }, parameters);
    const { origin, pathname } = new URL(link);
    const { status, text } = await expectShortStretches(() =>
      send(origin, { method: 'GET', target: pathname }),
    );
    expect(status).toBe(200);
    expect(text).toContain('<form method="post">');
  });
});

test.each(Object.entries({ ...badForms, valid: form(filePart()) }))(
  'an upload of a form %s',
  async (what, body) => {
    const response = await expectShortStretches(() =>
      send(api.baseUrl, {
        method: 'POST',
        target: '/resources',
        headers: {
          Authorization: world.owner.token,
          'Content-Type': `multipart/form-data; boundary=${boundary}`,
        },
        body: Buffer.from(body),
      }),
    );
    expect(response.status).toBe(what === 'valid' ? 201 : 400);
  },
);

test('startWorkflow refuses and logs parameters whose check is stopped: 400 parameters_mismatch', async () => {
  const definition = await given.workflowDefinition({
    workspace: world.workspace,
    inputSchema: { properties: { text: { pattern: '^(a+)+\\1$' } } },
  });
  const body = { workflowDefinitionId: definition.id, parameters: { text: `${'a'.repeat(50)}!` } };
  // The client of the tests waits 30 seconds, which may be less than 3 seconds of processor time.
  const response = await expectShortStretches(() =>
    owner.fetch('/workflows', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  expect(response.status).toBe(400);
  const message = expect.stringMatching(/^parameters must be smaller or simpler/);
  expect(await response.json()).toMatchObject({
    errors: [{ code: 'parameters_mismatch', pointer: '/parameters', message }],
  });
  expect(log.some(({ msg }) => msg === 'input schema check stopped')).toBe(true);
}, 300_000);
