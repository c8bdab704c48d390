import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { headOf, inParallel, raw, send, sendRaw } from '../support/raw-requests.ts';
import { advice } from './support/advice.ts';
import {
  type BadRequest,
  badAddresses,
  badFields,
  badHeaders,
  badIdentifiers,
  badJson,
  badQueries,
  badTypes,
} from './support/bad-values.ts';
import { type Operation, operations } from './support/contract.ts';
import { codesOf, placesOf, refusalError } from './support/refusals.ts';
import { acceptanceError, requestsOf, toSend, type ValidRequest, withToken } from './support/requests.ts';
import { stored } from './support/stored.ts';

const api = await startApi();
const requests = requestsOf(api);
const { token } = api.world.owner;

const takesJson = ({ body }: Operation) => body?.type === 'application/json';

/** Kinds of invalid requests, and the operations that they apply to. */
const kinds: [
  name: string,
  make: (valid: ValidRequest) => BadRequest[],
  of: (operation: Operation) => boolean,
][] = [
  ['fields', badFields, takesJson],
  ['JSON', badJson, takesJson],
  ['media types', badTypes, ({ body }) => body !== undefined],
  ['queries', badQueries, () => true],
  ['identifiers', badIdentifiers, ({ template }) => template.includes('{')],
  ['headers', badHeaders, ({ parameters }) => parameters.some((parameter) => parameter.in === 'header')],
  ['addresses', badAddresses, () => true],
];

describe.each(operations)('$id', (operation) => {
  let valid: ValidRequest;
  let before: unknown;
  beforeAll(async () => {
    valid = await requests.valid(operation);
    before = await stored(api);
  });

  test.each(kinds.filter(([, , of]) => of(operation)))(
    'refuses bad %s and stores nothing',
    async (kind, make) => {
      const problems = await inParallel(make(valid), async ({ name, request, statuses, place }) => {
        const response = await requests.send(request, token).catch((error: Error) => error);
        if (response instanceof Error) return `${name}: ${response.message}`;
        // Another URL has no declared statuses.
        const problem = refusalError(kind === 'addresses' ? undefined : operation, response);
        if (problem) return `${name}: ${problem}`;
        if (!statuses.includes(response.status)) return `${name}: ${response.status} ${codesOf(response)}`;
        const places = placesOf(response);
        if (place !== undefined && !places.includes(place)) return `${name}: names ${places}, not ${place}`;
        return undefined;
      });
      expect(problems.filter(Boolean), advice('refusal', operation)).toEqual([]);
      expect(await stored(api), advice('unchanged', operation)).toEqual(before);
    },
  );
});

describe.each(operations.filter(takesJson))('$id over a bare connection', (operation) => {
  test('refuses too large a body before it arrives', async () => {
    const valid = withToken(toSend(await requests.valid(operation)), token);
    const before = await stored(api);
    const large = headOf({ ...valid, headers: { ...valid.headers, 'Content-Length': 2_000_000_000 } });
    const chunked = headOf(valid).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    for (const bytes of [[large], [`${large}{"a":`], [chunked, ...new Array<string>(20).fill(chunk)]]) {
      const response = await raw(api.baseUrl, ...bytes);
      expect(refusalError(operation, response), advice('refusal', operation)).toBeUndefined();
      expect([response.status, ...codesOf(response)]).toEqual([413, 'body_too_large']);
    }
    expect(await stored(api), advice('unchanged', operation)).toEqual(before);
  });

  test('refuses a body longer than its Content-Length, and one with two types', async () => {
    const valid = withToken(toSend(await requests.valid(operation)), token);
    const before = await stored(api);
    const length = String(valid.body).length - 1;
    const short = headOf({ ...valid, headers: { ...valid.headers, 'Content-Length': length } });
    const twice = headOf(valid).replace('\r\n\r\n', '\r\nContent-Type: text/plain\r\n\r\n');
    for (const head of [short, twice]) {
      const response = await raw(api.baseUrl, `${head}${valid.body}`);
      expect(refusalError(operation, response), advice('refusal', operation)).toBeUndefined();
    }
    expect(await stored(api), advice('unchanged', operation)).toEqual(before);
  });

  test('stores nothing of a body that is cut off', async () => {
    const valid = withToken(toSend(await requests.valid(operation)), token);
    const before = await stored(api);
    const port = Number(new URL(api.baseUrl).port);
    for (const after of ['end', 'reset'] as const) {
      const { status } = await sendRaw(port, [`${headOf(valid)}${String(valid.body).slice(0, -1)}`], after);
      expect([0, 400]).toContain(status || 0);
    }
    expect(await stored(api), advice('unchanged', operation)).toEqual(before);
  });
});

describe('an endless body where none is declared', () => {
  function* endless(head: string): Generator<string | Buffer> {
    yield head;
    for (const spaces = Buffer.alloc(65_536, ' '); ; ) yield spaces;
  }
  const bodiless = operations.filter(({ body }) => !body).map(({ id }) => id);
  const pages = ['/healthz', '/readyz', '/openapi.json', '/nowhere'];

  test.each([...bodiless, ...pages])('%s', async (name) => {
    const operation = operations.find(({ id }) => id === name);
    const request = operation ? toSend(await requests.valid(operation)) : { method: 'GET', target: name };
    const headers = { ...request.headers, 'Content-Length': 50_000_000_000, Authorization: token };
    const response = await sendRaw(
      Number(new URL(api.baseUrl).port),
      endless(headOf({ ...request, headers })),
    );
    expect(response.status).toBe(name === '/nowhere' ? 404 : [...(operation?.responses.keys() ?? [200])][0]);
    expect(response.headers).toMatch(/^connection: close/im);
    // Ended with the response: the rest of the body is not read.
    expect(response).toMatchObject({ ended: true });
    expect(response.bytes).toBeLessThan(32 << 20);
  });
});

test('requests with ever new media types use no additional memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const post = withToken(
    toSend(await requests.valid(operations.find(({ id }) => id === 'createParameterSet') as Operation)),
    token,
  );
  const get = withToken({ method: 'GET', target: '/organizations/roles' }, token);
  const many = async (count: number, prefix: string) => {
    await inParallel(Array.from({ length: count }), async (_, at = Math.random()) => {
      for (const request of [
        { ...post, body: '{"a":' },
        { ...get, body: '' },
      ]) {
        const headers = { ...request.headers, 'Content-Type': `application/json; ${prefix}=${at}` };
        await send(api.baseUrl, { ...request, headers });
      }
    });
  };
  await many(100, 'warm');
  api.log.length = 0;
  api.statements.length = 0;
  const before = heap();
  await many(500, 'a');
  api.log.length = 0;
  api.statements.length = 0;
  // A validator cached for each of these thousand would take 56 MB.
  expect((heap() - before) / 2 ** 20).toBeLessThan(15);
});

test('the comparison of stored rows includes the jobs of the platform, and no scheduling job of the queue', async () => {
  const before = await stored(api);
  const add = (name: string, delay: string) =>
    sql`insert into production_jobs.job (name, data, start_after)
      values (${name}, '{}', now() + ${delay}::interval)`.execute(api.database);
  await add('__pgboss__send-it', '0');
  expect(await stored(api)).toEqual(before);
  await add('mail', '1 day');
  expect(await stored(api)).not.toEqual(before);
});

// The requests above were refused for their errors alone.
test('the platform still accepts the same requests once their errors are corrected', async () => {
  const problems = await inParallel(operations, async (operation) =>
    acceptanceError(operation, await requests.send(toSend(await requests.valid(operation)))),
  );
  expect(problems.filter(Boolean)).toEqual([]);
  const faulty = api.log.filter(({ msg }) => msg === 'failed');
  expect(faulty, 'a caller could make the platform log an error of its own').toEqual([]);
});
