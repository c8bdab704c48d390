import { describe, expect, test } from 'vitest';
import { referenceReader } from '../../server/src/pages/links/form/references.ts';
import { api as startApi } from '../support/api.ts';
import { confirm, formTokenOf, linksOf, page } from './support.ts';

const api = await startApi();
const { database } = api;
const links = linksOf(api);

/** A link to a definition with these properties, and the page that it opens. */
async function opened(properties: object, more: object = {}, parameters?: unknown) {
  const inputSchema = { type: 'object', properties, ...more };
  const link = await links.link({ definition: await links.definition({ inputSchema }), parameters });
  return { link, ...(await page(link)) };
}

/** Sends a form, and gives the parameters of what that has started. */
async function started({ link, ...shown }: Awaited<ReturnType<typeof opened>>, fields: object) {
  const { status } = await confirm(link, { form: formTokenOf(shown), ...fields });
  expect(status).toBe(303);
  const { execution_id } = await links.row(link);
  const row = await database
    .selectFrom('executions')
    .select('parameters')
    .where('id', '=', execution_id ?? '')
    .executeTakeFirstOrThrow();
  return row.parameters;
}

const empty = { 'f.q': '' };

describe('a yes or no that may be left open', () => {
  test.each([
    ['optional', { type: 'boolean' }, {}, {}],
    ['optional, or null', { type: ['boolean', 'null'] }, {}, {}],
    ['required, or null', { type: ['boolean', 'null'] }, { required: ['q'] }, { q: null }],
  ])('%s: nothing is answered for the person', async (_what, schema, more, left) => {
    const shown = await opened({ q: schema }, more);
    expect(shown.text).toMatch(/value="" checked>\n<label for="field-1-none">No answer</);
    expect(await started(shown, empty)).toEqual(left);
    expect(await started(await opened({ q: schema }, more), { 'f.q': 'false' })).toEqual({ q: false });
  });

  test('an answer that was given can be taken back', async () => {
    const shown = await opened({ q: { type: 'boolean' } }, {}, { q: true });
    expect(shown.text).toContain('value="true" checked');
    expect(await started(shown, empty)).toEqual({});
  });

  test('one that has to be answered has no such choice', async () => {
    const { text } = await opened({ q: { type: 'boolean' } }, { required: ['q'] });
    expect(text.match(/type="radio"/g)).toHaveLength(2);
  });
});

describe('a choice of null', () => {
  const q = { enum: ['a', 1, null] };

  test('is offered where something is required, and is not what nothing stands for', async () => {
    const shown = await opened({ q }, { required: ['q'] });
    expect(shown.text).toContain('<option value="">Please choose</option>');
    expect(shown.text).toContain('<option value="null">None</option>');
    const refused = await confirm(shown.link, { form: formTokenOf(shown), ...empty });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Please choose one.')]);
    expect(await started(shown, { 'f.q': 'null' })).toEqual({ q: null });
  });

  test('stays chosen where it was given', async () => {
    const shown = await opened({ q }, {}, { q: null });
    expect(shown.text).toContain('<option value="null" selected>None</option>');
    expect(await started(shown, empty)).toEqual({});
  });
});

describe('a property that refers to a definition of the schema', () => {
  const $defs = {
    role: { title: 'Role', enum: ['driver', 'owner'] },
    alias: { $ref: '#/$defs/role' },
    'a/b c': { type: 'integer' },
  };

  test('is entered as what that says, with what it says itself first', async () => {
    const properties = {
      role: { $ref: '#/$defs/alias', title: 'Your role' },
      count: { $ref: '#/$defs/a~1b%20c' },
    };
    const shown = await opened(properties, { $defs });
    expect(shown.text).toContain('Your role');
    expect(shown.text).toContain('<option value="&quot;driver&quot;">driver</option>');
    expect(shown.text).not.toContain('<textarea');
    const fields = { 'f.role': '"owner"', 'f.count': '3' };
    expect(await started(shown, fields)).toEqual({ role: 'owner', count: 3 });
  });

  test('is entered as JSON where that is not simple', async () => {
    expect((await opened({ q: { $ref: '#' } }, { $defs })).text).toContain('<textarea');
  });

  test.each(['#/$defs/circle', '#/$defs/nothing', '#/type/length', '#/%', 'https://a.example', 1])(
    'stays as it is where %s leads to nothing',
    ($ref) => {
      const document = { type: 'object', $defs: { circle: { $ref: '#/$defs/circle' } } };
      expect(referenceReader(document, ['title'])({ $ref, title: 'T' })).toEqual({ $ref, title: 'T' });
    },
  );
});

describe('a link whose own values its form cannot change', () => {
  const closed = { additionalProperties: false };
  const text = { type: 'string' };
  test.each([
    ['a property too many', { q: text }, closed, { extra: 1 }, 'There is no “extra” here.'],
    [
      'a wrong one that has no field',
      { q: text },
      { additionalProperties: text },
      { extra: 1 },
      '“extra” does not',
    ],
    ['a wrong one that is only shown', { q: { ...text, readOnly: true } }, {}, { q: 1 }, '“q” does not have'],
    ['one that is missing and has no field', { q: text }, { required: ['p'] }, undefined, '“p” is missing'],
  ])('%s: is told at once, 409', async (_what, properties, more, parameters, sentence) => {
    const { link, status, text } = await opened(properties, more, parameters);
    const sent = await confirm(link, {});
    for (const answer of [{ status, text }, sent]) {
      expect(answer.status).toBe(409);
      expect(answer.text).toContain('<h1>This link cannot be used as it is</h1>');
      expect(answer.text).toContain(`<li>${sentence}`);
    }
    expect((await links.row(link)).used_at).toBeNull();
  });

  test('what the person can mend is no reason', async () => {
    const { status } = await opened({ q: text, r: text }, { ...closed, required: ['r'] }, { q: 1 });
    expect(status).toBe(200);
  });
});
