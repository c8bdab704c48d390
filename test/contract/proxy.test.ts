import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { createClient } from '@wrp/client';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../../scripts/mock/server.ts';
import { api as startApi } from '../support/api.ts';
import { bundle } from '../support/contract.ts';
import { faultBySchema, operations, parametersIn } from '../sweeps/support/contract.ts';
import { codesOf } from '../sweeps/support/refusals.ts';
import { requestsOf } from '../sweeps/support/requests.ts';
import { type Names, type Scenario, scenarios } from './scenarios.ts';

/** Somewhere that the same calls must end alike. */
interface Place {
  baseUrl: string;
  takes(scenario: Scenario): boolean;
  names(scenario: Scenario): Promise<Names>;
  token(scenario: Scenario): string | undefined;
  /** What a client sends there besides. */
  headers(scenario: Scenario): Record<string, string>;
}

const missing = '00000000-0000-4000-8000-000000000000';
const api = await startApi();
const requests = requestsOf(api);

const platform: Place = {
  baseUrl: api.baseUrl,
  takes: ({ operation }) => operations.some(({ id }) => id === operation),
  async names({ operation }) {
    const { path, fields } = await requests.valid(operationOf(operation));
    return { ...path, ...fields } as Names;
  },
  token: ({ caller }) => api[caller ?? 'owner'].token,
  headers: () => ({}),
};
const places: Record<string, Place> = {
  'the platform': platform,
  'the platform behind a proxy that validates it': {
    ...platform,
    baseUrl: await startProxy(api.baseUrl),
    takes: (scenario) => !scenario.binary && platform.takes(scenario),
  },
  'the mock': {
    ...platform,
    baseUrl: await startMock(),
    takes: () => true,
    async names({ operation }) {
      const { body } = operationOf(operation);
      const path = parametersIn(operationOf(operation), 'path').map(({ name, example }) => [name, example]);
      return { ...Object.fromEntries(path), ...(body?.examples[0]?.value as object) } as Names;
    },
    // The mock keeps no state: it is asked for what it is to answer.
    headers: ({ operation, status, code }) => {
      const media = operationOf(operation).answers.get(status)?.media ?? [];
      const showsCode = media.flatMap(({ examples }) => examples).find(({ value }) => codeOf(value) === code);
      return { Prefer: code && showsCode ? `code=${status}, example=${showsCode.name}` : `code=${status}` };
    },
  },
};

describe.each(Object.entries(places))('%s', (_name, place) => {
  const cases = scenarios.filter(place.takes).map((scenario) => ({ title: titleOf(scenario), scenario }));

  test.each(cases)('answers $title', async ({ scenario }) => {
    const token = place.token(scenario);
    const { baseUrl } = place;
    const client = createClient({
      baseUrl,
      retries: 0,
      headers: place.headers(scenario),
      ...(token !== undefined && { token }),
    });
    const { data, error, response } = await scenario.call(client, await place.names(scenario), missing);
    const { headers } = response;
    const text = JSON.stringify(error ?? data);
    expect(headers.get('sl-violations'), 'the answer is not what the contract declares').toBeNull();
    expect(response.status, text).toBe(scenario.status);
    if (scenario.code) expect(codesOf({ text } as never)).toContain(scenario.code);

    const answer = operationOf(scenario.operation).answers.get(scenario.status);
    for (const name of answer?.requiredHeaders ?? [])
      expect(headers.has(name), `the header ${name}`).toBe(true);
    const type = headers.get('Content-Type')?.split(';')[0];
    const media = answer?.media.find((one) => one.type === type);
    if (media && /[/+]json$/.test(media.type))
      expect(faultBySchema(media.schema, error ?? data)).toBeUndefined();
    else if (answer?.media.length === 0) expect(data ?? '').toBe('');
    else expect(answer?.media.some((one) => one.type === type || one.type === '*/*')).toBe(true);
  });
});

test('the proxy notices an answer that is not as declared', async () => {
  const wrong = createHttpServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"name":"king"}]');
  }).listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const proxy = await startProxy(`http://127.0.0.1:${(wrong.address() as AddressInfo).port}`);
  const answer = await fetch(`${proxy}/organizations/roles`, { headers: { Authorization: 'tot_any' } });
  expect([answer.status, answer.headers.get('sl-violations')]).toEqual([
    500,
    expect.stringContaining("must have required property 'id'"),
  ]);
  wrong.close();
});

test('every operation has a scenario that succeeds', () => {
  const without = operations
    .map(({ id }) => id)
    .filter((id) => !scenarios.some(({ operation, status }) => operation === id && status < 300));
  expect(without, 'add a call that succeeds to test/contract/scenarios.ts').toEqual([]);
});

function operationOf(id: string) {
  const operation = operations.find((one) => one.id === id);
  if (!operation) throw new Error(`The contract has no ${id}: take it out of test/contract/scenarios.ts.`);
  return operation;
}

function titleOf({ operation, name, status, code }: Scenario): string {
  return [operation, name, `with ${status}`, code].filter(Boolean).join(' ');
}

function codeOf(value: unknown): string | undefined {
  return (value as { errors?: { code: string }[] } | undefined)?.errors?.[0]?.code;
}

async function startMock(): Promise<string> {
  const { server } = await createMock(bundle as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Prism between client and platform: an answer that is not as declared becomes a 500 of its own. */
async function startProxy(upstream: string): Promise<string> {
  const silent = () => {};
  const logger: Record<string, unknown> = {
    info: silent,
    warn: silent,
    error: silent,
    debug: silent,
    trace: silent,
    success: silent,
  };
  logger['child'] = () => logger;
  const proxy = createServer(await getHttpOperationsFromSpec(structuredClone(bundle)), {
    cors: false,
    config: {
      isProxy: true,
      upstream: new URL(upstream),
      validateRequest: false,
      validateResponse: true,
      checkSecurity: false,
      errors: true,
      mock: { dynamic: false },
      upstreamProxy: undefined,
    },
    components: { logger: logger as never },
  });
  afterAll(() => proxy.close());
  return proxy.listen(0, '127.0.0.1');
}
