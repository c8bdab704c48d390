import { describe, expect, test } from 'vitest';
import { referenceReader } from '../../server/src/pages/links/form/fields.ts';
import { api as startApi } from '../support/api.ts';
import { confirm, formTokenOf, linksOf, page } from './support.ts';

const api = await startApi();
const links = linksOf(api);

/** Creates a link to a definition with these properties and opens its page. */
async function opened(properties: object, more: object = {}, parameters?: unknown) {
  const inputSchema = { type: 'object', properties, ...more };
  const link = await links.link({ definition: await links.definition({ inputSchema }), parameters });
  return { link, ...(await page(link)) };
}

/** Sends a form and returns the parameters of the started execution. */
async function started({ link, ...shown }: Awaited<ReturnType<typeof opened>>, fields: object) {
  const { status } = await confirm(link, { form: formTokenOf(shown), ...fields });
  expect(status).toBe(303);
  return (await links.execution(link)).parameters;
}

const empty = { 'f.q': '' };

describe('an optional boolean', () => {
  test.each([
    ['optional', { type: 'boolean' }, {}, {}],
    ['optional, or null', { type: ['boolean', 'null'] }, {}, {}],
    ['required, or null', { type: ['boolean', 'null'] }, { required: ['q'] }, { q: null }],
  ])('%s: has no preselected choice', async (_case, schema, more, left) => {
    const shown = await opened({ q: schema }, more);
    expect(shown.text).toMatch(/value="" checked>\n<label for="field-1-none">No answer</);
    expect(await started(shown, empty)).toEqual(left);
    expect(await started(await opened({ q: schema }, more), { 'f.q': 'false' })).toEqual({ q: false });
  });

  test('can be reset to no value', async () => {
    const shown = await opened({ q: { type: 'boolean' } }, {}, { q: true });
    expect(shown.text).toContain('value="true" checked');
    expect(await started(shown, empty)).toEqual({});
  });

  test('cannot be empty if it is required', async () => {
    const { text } = await opened({ q: { type: 'boolean' } }, { required: ['q'] });
    expect(text.match(/type="radio"/g)).toHaveLength(2);
  });
});

describe('null as an enum value', () => {
  const q = { enum: ['a', 1, null] };

  test('is an option of its own in a required field', async () => {
    const shown = await opened({ q }, { required: ['q'] });
    expect(shown.text).toContain('<option value="">Please choose</option>');
    expect(shown.text).toContain('<option value="null">None</option>');
    const refused = await confirm(shown.link, { form: formTokenOf(shown), ...empty });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Please choose one.')]);
    expect(await started(shown, { 'f.q': 'null' })).toEqual({ q: null });
  });

  test('stays selected if it is the initial value', async () => {
    const shown = await opened({ q }, {}, { q: null });
    expect(shown.text).toContain('<option value="null" selected>None</option>');
    expect(await started(shown, empty)).toEqual({});
  });
});

describe('a property with $ref', () => {
  const $defs = {
    role: { title: 'Role', enum: ['driver', 'owner'] },
    alias: { $ref: '#/$defs/role' },
    'a/b c': { type: 'integer' },
  };

  test('has a field for the referenced schema, with its own keywords taking precedence', async () => {
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

  test('is entered as JSON if the referenced schema is not simple', async () => {
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

describe('a link with invalid values that its form cannot change', () => {
  const closed = { additionalProperties: false };
  const text = { type: 'string' };
  test.each([
    ['an undeclared property', { q: text }, closed, { extra: 1 }, '“extra” is not allowed here.'],
    [
      'an invalid value without a field',
      { q: text },
      { additionalProperties: text },
      { extra: 1 },
      '“extra” is not valid.',
    ],
    ['an invalid read-only value', { q: { ...text, readOnly: true } }, {}, { q: 1 }, '“q” is not valid.'],
    ['a missing property without a field', { q: text }, { required: ['p'] }, undefined, '“p” is missing'],
  ])('%s: 409 when the page is opened', async (_case, properties, more, parameters, sentence) => {
    const { link, status, text } = await opened(properties, more, parameters);
    const sent = await confirm(link, {});
    for (const response of [{ status, text }, sent]) {
      expect(response.status).toBe(409);
      expect(response.text).toContain('<h1>This link cannot be used</h1>');
      expect(response.text).toContain(`<li>${sentence}`);
    }
    expect((await links.row(link)).used_at).toBeNull();
  });

  test('opens if the form can correct the value', async () => {
    const { status } = await opened({ q: text, r: text }, { ...closed, required: ['r'] }, { q: 1 });
    expect(status).toBe(200);
  });
});
