import { beforeAll, describe, expect, test } from 'vitest';
import { confirm, formTokenOf, linksOf, page } from '../links/support.ts';
import { api as startApi } from '../support/api.ts';
import { expectShortStretches } from '../support/main-thread.ts';
import { send } from '../sweeps/support/send.ts';
import { hostile, properties, testHostileBodies, times } from './hostile-bodies.ts';

const api = await startApi();
const links = linksOf(api);

testHostileBodies({ api, takes: ({ id }) => id !== 'createParameterSet' });

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
  const number = {
    properties: {
      amount: { type: 'number' },
      note: { type: 'string', maxLength: 5 },
      list: { type: 'array' },
    },
  };

  beforeAll(async () => {
    const link = await linkTo(number, { other: { a: [1] } });
    await confirm(link, { form: formTokenOf(await page(link)), 'f.amount': 'x' });
  });

  test.each<[string, string, number?]>([
    ['a number of 40,000 digits and a letter', `f.amount=${'1'.repeat(40_000)}x`],
    ['a number of spaces', `f.amount=1${'+'.repeat(900_000)}x`],
    ['a number with a comma', `f.amount=${'1'.repeat(500_000)},${'1'.repeat(500_000)}x`],
    ['as many names as fit', 'a&'.repeat(520_000), 413],
    ['values without a name', '='.repeat(1_000_000)],
    ['a name many times', 'f.note=ab&'.repeat(1_900)],
    ['line ends', `f.note=${'\r\n'.repeat(500_000)}`],
    ['encoded line ends', `f.note=${'%0D%0A'.repeat(170_000)}`],
    ['zero characters', `f.note=${'%00a'.repeat(250_000)}`],
    ['brackets', `f.note=${'<"'.repeat(500_000)}`],
    ['percent signs', `f.note=${'%'.repeat(1_000_000)}`],
    ['bytes that are not UTF-8', `f.note=${'%F0'.repeat(340_000)}`],
    ['JSON of many names', `f.list=${hostile['as many names as are accepted']}`],
    ['JSON of too many texts', `f.list=${hostile['short texts']?.slice(0, 900_000)}`],
    ['deep JSON', `f.list=${'['.repeat(1_000_000)}`],
  ])('takes %s', async (_what, fields, refused = 422) => {
    const link = await linkTo(number);
    // The first value of a field counts.
    const form = `form=${formTokenOf(await page(link))}&${fields}&f.amount=x`;
    const { status } = await expectShortStretches(() => submit(link, form));
    expect(status).toBe(refused);
  });

  test.each<[string, object, unknown]>([
    ['more properties than a form has', { properties: properties(1_500, () => ({ type: 'string' })) }, {}],
    [
      '200 number fields with bounds',
      { properties: properties(200, () => ({ type: 'number', minimum: 1, maximum: 5 })) },
      {},
    ],
    ['a choice of many', { properties: { q: { enum: times(5_000, String) } } }, {}],
    [
      'a choice of many for each of many',
      {
        properties: properties(150, () => ({ $ref: '#/$defs/many' })),
        $defs: { many: { enum: times(2_000, String) } },
      },
      {},
    ],
    [
      'a long default for each of many',
      {
        properties: properties(150, () => ({ $ref: '#/$defs/long' })),
        $defs: { long: { default: 'x'.repeat(50_000) } },
      },
      {},
    ],
    [
      'a long description for each of many',
      {
        properties: properties(150, () => ({ $ref: '#/$defs/long' })),
        $defs: { long: { type: 'string', description: 'x'.repeat(50_000) } },
      },
      {},
    ],
    [
      'references to references',
      {
        properties: properties(150, () => ({ $ref: '#/$defs/p0' })),
        $defs: properties(40, (at) => ({
          ...(at < 39 && { $ref: `#/$defs/p${at + 1}` }),
          default: properties(100, () => true),
        })),
      },
      {},
    ],
    ['brackets in a field', number, { note: '<'.repeat(900_000) }],
    ['brackets beside the fields', number, { other: '<'.repeat(900_000) }],
    ['many values beside the fields', number, properties(9_900, () => 1)],
    ['a long list beside the fields', number, { other: times(190_000, () => 1) }],
    ['a long list in a field', number, { list: times(190_000, () => 1) }],
    ['a name that is long', number, { [`a${'bB'.repeat(400_000)}`]: 1 }],
    ['much to be entered as a whole', { anyOf: [{}] }, properties(9_900, () => '<')],
    [
      'a value that is nested deeply',
      number,
      { other: times(150, () => undefined).reduce((inner: unknown) => [inner], 1) },
    ],
    [
      'a pattern over a long text',
      { properties: { note: { pattern: '^(a+)+$' } } },
      { note: `${'a'.repeat(900_000)}!` },
    ],
  ])('shows %s', async (_what, schema, parameters) => {
    const link = await linkTo({ type: 'object', ...schema }, parameters);
    const { origin, pathname } = new URL(link);
    const { status, text } = await expectShortStretches(() =>
      send(origin, { method: 'GET', target: pathname }),
    );
    expect(status).toBe(200);
    expect(text).toContain('<form method="post">');
  });
});
