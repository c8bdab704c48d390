import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { createClient } from '@wrp/client';
import { afterAll, describe, expect, test } from 'vitest';
import { createMock } from '../../scripts/mock/examples/server.ts';
import { api as startApi } from '../support/api.ts';
import { bundle } from '../support/contract.ts';
import { isForm, type Operation, operations, parametersIn, schemaError } from '../sweeps/support/contract.ts';
import { codesOf } from '../sweeps/support/refusals.ts';
import { requestsOf, type Values } from '../sweeps/support/requests.ts';

/** A call of the published client, and the status and error code that it must end with. */
interface Scenario {
  operation: Operation;
  title: string;
  status: number;
  code?: string;
  /** Default: the owner. */
  caller?: 'anonymous' | 'outsider';
}

/** Something that serves the contract: every scenario must end alike at each. */
interface Server {
  baseUrl: string;
  serves(operation: Operation): boolean;
  request(operation: Operation): Promise<{ path: Values; fields: Values | undefined }>;
  headers(scenario: Scenario): Record<string, string>;
}

const api = await startApi();
const requests = requestsOf(api);

const platform: Server = {
  baseUrl: api.baseUrl,
  // The proxy reads bodies as text, which corrupts files.
  serves: (operation) => isForm(operation) || isFile(operation),
  request: requests.valid,
  headers: () => ({}),
};
const servers: Record<string, Server> = {
  'the platform': platform,
  'the platform behind a proxy that validates it': {
    ...platform,
    baseUrl: await startProxy(api.baseUrl),
    serves: (operation) => !platform.serves(operation),
  },
  'the mock': {
    ...platform,
    baseUrl: await startMock(),
    serves: () => true,
    async request(operation) {
      const path = parametersIn(operation, 'path').map(({ name, example }) => [name, example]);
      return { path: Object.fromEntries(path), fields: operation.body?.examples[0]?.value as Values };
    },
    // The mock keeps no state: the request says which response it wants.
    headers: ({ operation, status, code }) => {
      const examples = operation.responses.get(status)?.media.flatMap((media) => media.examples) ?? [];
      const example =
        code && examples.find(({ value }) => codesOf({ text: JSON.stringify(value) } as never)[0] === code);
      return { Prefer: example ? `code=${status}, example=${example.name}` : `code=${status}` };
    },
  },
};

describe.each(Object.entries(servers))('%s', (_name, server) => {
  describe.each(operations.filter(server.serves))('$id', (operation) => {
    test.each(scenariosOf(operation))('responds with $title', async (scenario) => {
      const { path, fields } = await server.request(operation);
      if (scenario.status === 404) path[parametersIn(operation, 'path')[0]?.name ?? ''] = randomUUID();
      const { data, error, response } = await call(server, scenario, path, fields);
      const text = JSON.stringify(error ?? data);
      expect(
        response.headers.get('sl-violations'),
        'the response is not what the contract declares',
      ).toBeNull();
      expect(response.status, text).toBe(scenario.status);
      if (scenario.code) expect(codesOf({ text } as never)).toContain(scenario.code);

      const declared = operation.responses.get(scenario.status);
      for (const name of declared?.requiredHeaders ?? [])
        expect(response.headers.has(name), `the header ${name}`).toBe(true);
      const type = response.headers.get('Content-Type')?.split(';')[0];
      const media = declared?.media.find((one) => one.type === type);
      if (media && /[/+]json$/.test(media.type))
        expect(schemaError(media.schema, error ?? data)).toBeUndefined();
      else if (declared?.media.length === 0) expect(data ?? '').toBe('');
      else expect(declared?.media.some((one) => one.type === type || one.type === '*/*')).toBe(true);
    });
  });
});

test('the proxy reports a response that violates the contract', async () => {
  const wrong = createHttpServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"name":"king"}]');
  }).listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const proxy = await startProxy(`http://127.0.0.1:${(wrong.address() as AddressInfo).port}`);
  const response = await fetch(`${proxy}/organizations/roles`, { headers: { Authorization: 'tot_any' } });
  expect([response.status, response.headers.get('sl-violations')]).toEqual([
    500,
    expect.stringContaining("must have required property 'id'"),
  ]);
  wrong.close();
});

/** What every operation can end with: success, nobody calls, the caller lacks the permission, nothing is there. */
function scenariosOf(operation: Operation): Scenario[] {
  const { responses, secured, permission, template } = operation;
  const success = Math.min(...responses.keys());
  const hasParameters = template.includes('{');
  return [
    { operation, title: `${success}`, status: success },
    ...(secured ? [refusal('401 credentials_missing', 'anonymous')] : []),
    ...(permission && hasParameters ? [refusal('403 permission_denied', 'outsider')] : []),
    ...(hasParameters && responses.has(404) ? [refusal('404')] : []),
  ];

  function refusal(title: string, caller?: Scenario['caller']): Scenario {
    const [status, code] = title.split(' ');
    return { operation, title, status: Number(status), ...(code && { code }), ...(caller && { caller }) };
  }
}

function call({ baseUrl, headers }: Server, scenario: Scenario, path: Values, fields: Values | undefined) {
  const { operation, caller } = scenario;
  const { token } = api[caller ?? 'owner'];
  const client = createClient({
    baseUrl,
    retries: 0,
    headers: headers(scenario),
    ...(token !== undefined && { token }),
  });
  const body = isForm(operation) ? { ...fields, file: new File(['a,b'], 'report.csv') } : fields;
  const parseAs = isFile(operation) ? 'blob' : isText(operation) ? 'text' : 'json';
  // The types of the client hold for one operation at a time.
  const send = client[operation.method as 'GET'] as unknown as (
    template: string,
    request: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>;
  return send(operation.template, { params: { path }, ...(body && { body }), parseAs });
}

function successMedia({ responses }: Operation): string[] {
  return [...responses.values()].flatMap(({ status, media }) =>
    status < 300 ? media.map(({ type }) => type) : [],
  );
}
function isFile(operation: Operation): boolean {
  return successMedia(operation).includes('*/*');
}
function isText(operation: Operation): boolean {
  return successMedia(operation).some((type) => type.startsWith('text/'));
}

async function startMock(): Promise<string> {
  const { server } = await createMock(bundle as never);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Prism between client and platform: a response that is not as declared becomes a 500 of its own. */
async function startProxy(upstream: string): Promise<string> {
  const levels = ['info', 'warn', 'error', 'debug', 'trace', 'success'];
  const logger: Record<string, unknown> = Object.fromEntries(levels.map((level) => [level, () => {}]));
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
