import { requests } from '@wrp/client/schemas';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { parseTimestamp } from '../../server/asl/index.ts';
import type { Operation } from '../../server/contract/contract.ts';
import { timestampOf } from '../../server/json/index.ts';
import { compileInputSchema } from '../../server/json-schema/index.ts';
import { checkShape } from '../../server/src/manifest/read.ts';
import { errorsOf } from '../../spec/rules/schema.js';
import { bundle, exampleValues, routes, theContract } from '../support/contract.ts';

/** Dates of RFC 3339, section 5.6, with the days of section 5.7 and the leap years of appendix C. */
const dates: Record<string, boolean> = {
  '2026-11-30': true,
  '2026-01-31': true,
  '2024-02-29': true,
  '2000-02-29': true,
  '0000-02-29': true,
  '9999-12-31': true,
  '2026-02-29': false,
  '1900-02-29': false,
  '2100-02-29': false,
  '2026-02-30': false,
  '2026-04-31': false,
  '2026-11-31': false,
  '2026-01-32': false,
  '2026-00-10': false,
  '2026-13-10': false,
  '2026-11-00': false,
  '26-11-30': false,
  '12026-11-30': false,
  '+2026-11-30': false,
  '-2026-11-30': false,
  '2026-1-30': false,
  '2026-11-3': false,
  '20261130': false,
  '2026-W48-1': false,
  '2026-334': false,
  '2026/11/30': false,
  '2026-11-30 ': false,
  ' 2026-11-30': false,
  '２０２６-11-30': false,
  '2026−11−30': false,
  '2026-11-30\n': false,
};

/** Times of RFC 3339, section 5.6. A leap second is 23:59:60 in UTC (section 5.7). */
const times: Record<string, boolean> = {
  '00:00:00Z': true,
  '23:59:59Z': true,
  '10:00:00z': true,
  '10:00:00.5Z': true,
  '10:00:00.000000001+00:00': true,
  [`10:00:00.${'1'.repeat(30)}Z`]: true,
  '10:00:00+00:00': true,
  '10:00:00-00:00': true,
  '10:00:00+23:59': true,
  '10:00:00-23:59': true,
  '23:59:60Z': true,
  '23:59:60.25z': true,
  '18:59:60-05:00': true,
  '19:29:60-04:30': true,
  '00:00:60+00:01': true,
  '05:29:60+05:30': true,
  '00:59:60+01:00': true,
  '00:58:60-23:01': true,
  '23:59:60+01:00': false,
  '23:59:60-01:00': false,
  '18:59:60+05:00': false,
  '22:59:60Z': false,
  '23:58:60Z': false,
  '00:00:60Z': false,
  '23:59:61Z': false,
  '24:00:00Z': false,
  '25:00:00Z': false,
  '10:60:00Z': false,
  '10:00:62Z': false,
  '10:00:00': false,
  '10:00:00+00': false,
  '10:00:00+0000': false,
  '10:00:00+0': false,
  '10:00:00+24:00': false,
  '10:00:00+00:60': false,
  '10:00:00 +00:00': false,
  '10:00:00Z+00:00': false,
  '10:00:00UTC': false,
  '10:00:00 Z': false,
  '10:00:00−05:00': false,
  '10:00Z': false,
  '10:00:00.Z': false,
  '10:00:00,5Z': false,
  '1:00:00Z': false,
  '100000Z': false,
  '10:00:00Z ': false,
  '10:00:00Z\n': false,
};

const dateTimes: Record<string, boolean> = {
  '2026-11-30t10:00:00z': true,
  '2026-11-30 10:00:00Z': false,
  '2026-11-30T 10:00:00Z': false,
  '2026-11-30\t10:00:00Z': false,
  '2026-11-30_10:00:00Z': false,
  '2026-11-3010:00:00Z': false,
  '2026-11-30TT10:00:00Z': false,
  '2026-11-30': false,
  '10:00:00Z': false,
  '': false,
  '1764496800': false,
  'Mon, 30 Nov 2026 10:00:00 GMT': false,
  ...mapped(dates, (date) => `${date}T10:00:00Z`),
  ...mapped(times, (time) => `2026-11-30T${time}`),
};

function mapped(table: Record<string, boolean>, map: (text: string) => string): Record<string, boolean> {
  return Object.fromEntries(Object.entries(table).map(([text, isValid]) => [map(text), isValid]));
}

const verdicts = (table: Record<string, boolean>, isValid: (text: string) => boolean) =>
  Object.fromEntries(Object.keys(table).map((text) => [text, isValid(text)]));

const start = (expiresAt: string) => ({
  workflowDefinitionId: '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01',
  expiresAt,
});
/** The lengths that the contract allows; a text of another length has another error. */
const ofLength = (table: Record<string, boolean>, longest = 64) =>
  Object.fromEntries(Object.entries(table).filter(([text]) => text.length >= 20 && text.length <= longest));

describe('a date-time is accepted exactly if RFC 3339 allows it', () => {
  test('in a request body', async () => {
    const { contract } = await theContract();
    const { checkRequest } = contract.operations.get('startWorkflow') as Operation;
    const accepts = (expiresAt: string) => {
      const body = start(expiresAt);
      const input = { path: {}, search: '', headers: {}, body, bodyType: 'application/json' };
      return !('problems' in checkRequest(input));
    };
    expect(verdicts(ofLength(dateTimes), accepts)).toEqual(ofLength(dateTimes));
  });

  test('in a response', async () => {
    const { contract } = await theContract();
    const { checkReply } = contract.operations.get('getUser') as Operation;
    const user = routes.find(({ operation }) => operation.operationId === 'getUser')?.operation;
    const [example] = exampleValues(user?.responses['200']?.content?.['application/json'] ?? {});
    const accepts = (createdDateTime: string) =>
      checkReply(200, undefined, { ...(example as object), createdDateTime }) === undefined;
    const short = ofLength(dateTimes, 30);
    expect(verdicts(short, accepts)).toEqual(short);
  });

  test('for the mock without state', async () => {
    const mock = await exampleMock(bundle as never);
    const statuses: Record<string, number> = {};
    for (const text of Object.keys(dateTimes)) {
      const headers = { Authorization: 'any', 'Content-Type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(start(text)) };
      statuses[text] = (await mock.fetch(new Request('http://mock/workflows', request))).status;
    }
    const expected = Object.entries(dateTimes).map(([text, isValid]) => [text, isValid ? 200 : 400]);
    expect(statuses).toEqual(Object.fromEntries(expected));
  });

  test("in the client's schemas", () => {
    const accepts = (text: string) => v.is(requests.startWorkflow, start(text));
    expect(verdicts(dateTimes, accepts)).toEqual(dateTimes);
  });

  test('in the platform file', () => {
    const problemsOf = (createdDateTime: string) =>
      checkShape({ environments: { production: { organization: { name: 'A', createdDateTime } } } });
    const accepts = (text: string) => !problemsOf(text).some(({ path }) => path.at(-1) === 'createdDateTime');
    const { '0000-02-29T10:00:00Z': yearZero, ...stored } = dateTimes;
    expect(verdicts(stored, accepts)).toEqual(stored);
    // PostgreSQL has no year 0.
    expect([yearZero, accepts('0000-02-29T10:00:00Z')]).toEqual([true, false]);
  });

  test('in the lint rules', () => {
    const accepts = (text: string) => errorsOf({ type: 'string', format: 'date-time' }, text).length === 0;
    expect(verdicts(dateTimes, accepts)).toEqual(dateTimes);
  });

  test('in a Wait state, whose specification allows upper case only', () => {
    const expected = Object.entries(dateTimes).map(([text, isValid]) => [
      text,
      isValid && !/[tz]/.test(text),
    ]);
    expect(verdicts(dateTimes, (text) => parseTimestamp(text) !== undefined)).toEqual(
      Object.fromEntries(expected),
    );
  });

  test('and only if it parses to a time, leap seconds included', () => {
    const times = Object.keys(dateTimes).map((text) => [text, timestampOf(text)?.getTime()] as const);
    const expected = Object.entries(dateTimes).map(([text, isValid]) => [text, isValid]);
    expect(times.map(([text, time]) => [text, Number.isFinite(time)])).toEqual(expected);
  });
});

test.each([
  ['date', dates],
  ['time', times],
  ['date-time', dateTimes],
])(
  'input schemas and lint rules accept exactly the values of the format %s that RFC 3339 allows',
  (format, table) => {
    const validate = compileInputSchema({ type: 'string', format });
    expect(verdicts(table, (text) => validate(text) === true)).toEqual(table);
    const accepts = (text: string) => errorsOf({ type: 'string', format }, text).length === 0;
    expect(verdicts(table, accepts)).toEqual(table);
  },
);
