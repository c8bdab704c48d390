import { describe, expect, test } from 'vitest';
import { referenceReader } from '../../server/src/pages/links/form/fields.ts';
import { api as startApi } from '../support/api.ts';
import { bodyOf } from '../support/responses.ts';
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

test('an optional field says so, unless it is read-only', async () => {
  const fixed = { type: 'string', readOnly: true };
  const { text } = await opened({ p: fixed, q: { type: 'string' }, r: fixed }, {}, { p: 'a' });
  const labelled = [...text.matchAll(/<bdi>([PQR])<\/bdi>( <span class="optional">)?/g)];
  expect(labelled.map(([, name, optional]) => [name, optional !== undefined])).toEqual([
    ['P', false],
    ['Q', true],
    ['R', true],
  ]);
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

describe('parameters that the form of a link cannot correct', () => {
  const closed = { additionalProperties: false };
  const text = { type: 'string' };
  const fixed = { ...text, readOnly: true };
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, text]));
  const list = new Intl.ListFormat('en-GB');
  const allRequired = { required: Object.keys(many) };

  test.each<[string, object, object, unknown, string[]]>([
    [
      'an undeclared property',
      { q: text },
      closed,
      { x: 1 },
      ['x is not a property of this object, which takes q'],
    ],
    [
      'an undeclared property of a form with many required fields',
      many,
      { ...closed, ...allRequired },
      { x: 1 },
      [`x is not a property of this object, which takes ${list.format(Object.keys(many))}`],
    ],
    [
      'an invalid value without a field',
      { q: text },
      { additionalProperties: text },
      { 'x/y': 1 },
      ['x/y must be a string'],
    ],
    ['an invalid read-only value', { q: fixed }, {}, { q: 1 }, ['q must be a string']],
    ['an invalid read-only default', { q: { ...fixed, default: 1 } }, {}, {}, ['q must be a string']],
    [
      'an invalid part of a read-only value',
      { p: text, q: { readOnly: true, required: ['p'] } },
      {},
      { q: {} },
      ['q.p is required'],
    ],
    [
      'too many values without a field',
      { q: text },
      { maxProperties: 1 },
      { x: 1, y: 1 },
      ['must have at most 1 property'],
    ],
    [
      'a property name without a field',
      { q: text },
      { propertyNames: { maxLength: 1 } },
      { long: 1 },
      ['long has a name that must have at most 1 character'],
    ],
    ['a missing property without a field', { q: text }, { required: ['p'] }, undefined, ['p is required']],
    [
      'a property without a field that another one requires',
      { q: text },
      { dependentRequired: { x: ['y'] } },
      { x: 1 },
      ['y is required'],
    ],
    [
      'two errors',
      { q: fixed },
      closed,
      { q: 1, x: 1 },
      ['x is not a property of this object, which takes q', 'q must be a string'],
    ],
  ])(
    '%s: 400 parameters_mismatch, and 409 if the link exists',
    async (_case, properties, more, parameters, problems) => {
      const inputSchema = { type: 'object', properties, ...more };
      const definition = await links.definition({ inputSchema });
      const { id: caseId } = await links.case();
      const parametersId = await links.parameters(definition, parameters ?? {});
      const set = parameters === undefined ? {} : { parametersId };
      const body = { caseId, workflowDefinitionId: definition.id, ...set };
      const prefix = 'parametersId must be a parameter set that matches the input schema: ';
      for (const path of ['/link', '/link/send'] as const) {
        const { errors } = (await bodyOf(400, api.owner.POST(path, { body }))) as { errors: object[] };
        expect(errors).toEqual(
          problems.map((problem) => ({
            code: 'parameters_mismatch',
            message: `${prefix}${problem}`,
            pointer: '/parametersId',
          })),
        );
      }

      const link = await links.link({ definition: await links.definition() });
      await api.database
        .updateTable('links')
        .set({ workflow_definition_id: definition.id, parameters_id: parametersId })
        .where('id', '=', (await links.row(link)).id)
        .execute();
      for (const response of [await page(link), await confirm(link, {})]) {
        expect(response.status).toBe(409);
        expect(response.text).toContain('<h1>This link cannot be used</h1>');
        expect(response.text, 'names no parameter').toMatch(/<\/h1>\n<p>[^<]+<\/p>\n*<\/main>/);
      }
      expect((await links.row(link)).used_at).toBeNull();
    },
  );

  test.each([[[]], ['x'], ['{"q":"x"}'], [1], [false]])(
    'a set that is %j creates no link: 400 parameters_mismatch',
    async (parameters) => {
      const definition = await links.definition({ inputSchema: { type: 'object', properties: { q: text } } });
      const { id: caseId } = await links.case();
      const parametersId = await links.parameters(definition, parameters);
      const body = { caseId, workflowDefinitionId: definition.id, parametersId };
      for (const path of ['/link', '/link/send'] as const) {
        const { errors } = (await bodyOf(400, api.owner.POST(path, { body }))) as { errors: object[] };
        expect(errors).toEqual([
          {
            code: 'parameters_mismatch',
            message: 'parametersId must be a parameter set that matches the input schema: must be an object',
            pointer: '/parametersId',
          },
        ]);
      }
    },
  );

  test.each<[string, object, object, unknown]>([
    ['an invalid value of a field', { q: text, r: text }, { ...closed, required: ['r'] }, { q: 1 }],
    ['all fields missing', many, { ...closed, ...allRequired }, {}],
    ['too few values', { q: text }, { minProperties: 1 }, {}],
    ['a field that another value requires', { q: text }, { dependentRequired: { x: ['q'] } }, { x: 1 }],
    ['a read-only field without a value', { q: fixed }, { required: ['q'] }, {}],
    ['parameters entered as JSON', { q: fixed }, { ...closed, allOf: [{}] }, { x: 1 }],
  ])('%s: the form opens, which can correct it', async (_case, properties, more, parameters) => {
    expect((await opened(properties, more, parameters)).status).toBe(200);
  });
});
