import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { privateAddresses, privateHosts, refusedUrls } from '../support/hostile/addresses.ts';
import { until } from '../support/waiting.ts';
import { attemptsOf, deliveriesTo, givenEndpoint, makeEvents } from '../webhooks/support.ts';
import { workflowWorld } from '../workflows/support.ts';

/** A server of this machine, on every address, IPv6 included. Nothing may reach it. */
const reached: string[] = [];
const inside = createServer((request, response) => {
  reached.push(`${request.method} ${request.headers.host}${request.url}`);
  response.end('inside');
});
await new Promise<void>((resolve) => inside.listen(0, resolve));
const { port } = inside.address() as AddressInfo;
afterAll(() => {
  inside.closeAllConnections();
  inside.close();
});

const platform = await workflowWorld({ allowPrivateTargets: false });
const { database, world, executions, define, failureOf } = platform;

/** Every way in which a definition names a URL. */
const url = '{% $states.input.parameters.url %}';
const definitionOf = (Resource: string, Arguments: JsonObject) =>
  define({ Call: { Type: 'Task', Resource, Arguments, TimeoutSeconds: 30, End: true } });
const call = await definitionOf('wrp:http:call', { url });
const others = {
  'a call with a query': await definitionOf('wrp:http:call', { url, query: { a: 'b' } }),
  'a call with a body': await definitionOf('wrp:http:call', { url, method: 'PUT', body: { a: 1 } }),
  'the request of a callback': await definitionOf('wrp:callback:wait', { request: { url } }),
};

/** Expects that a call fails with one of these errors, without the address that its host resolves to. */
async function expectFailure(workflowDefinitionId: string, address: string, expected: RegExp): Promise<void> {
  const execution = await executions.start({ workflowDefinitionId, parameters: { url: address } });
  await executions.ended(execution, 'FAILED');
  const { error, cause } = await failureOf(execution.id);
  expect(error).toMatch(expected);
  if (address.includes('://')) expect(cause).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/);
  expect(reached).toEqual([]);
}

const bracketed = (address: string) => (address.includes(':') ? `[${address.replace('%', '%25')}]` : address);

describe.concurrent('a workflow cannot call', () => {
  test.each([
    ...privateHosts.flatMap(([what, host]) =>
      ['http', 'https'].map((scheme) => [`${scheme}, ${what}`, `${scheme}://${host}:${port}/`]),
    ),
    ...privateAddresses.map(([what, address]) => [what, `http://${bracketed(address)}:${port}/`]),
    ...refusedUrls,
    ['credentials', `http://public.example@127.0.0.1:${port}/`],
    ['a tab', `http://127.0.\t0.1:${port}/`],
    ['metadata', 'http://169.254.169.254/latest/meta-data/iam/security-credentials/'],
    ['metadata of Google', 'http://169.254.169.254/computeMetadata/v1/?recursive=true'],
    ['metadata, decimal', 'http://2852039166/latest/'],
    ['metadata, IPv6', 'http://[fd00:ec2::254]/latest/'],
  ] as [string, string][])('a private address: %s, %s', (_what, address) =>
    expectFailure(call, address, /^Http\.Refused$/),
  );

  test.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'x.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    // The host before the backslash counts.
    'public.example\\@127.0.0.1',
    hostname(),
    // Whether the resolver knows them or not.
  ])('a name of this machine: %s', (name) =>
    expectFailure(call, `http://${name}:${port}/`, /^Http\.(Refused|Failed)$/),
  );

  test.each(
    Object.entries(others).flatMap(([what, definition]) =>
      privateHosts.slice(0, 12).map(([notation, host]) => [what, notation, host, definition]),
    ) as [string, string, string, string][],
  )('a private address by %s: %s', (_what, _notation, host, definition) =>
    expectFailure(definition, `http://${host}:${port}/`, /^Http\.Refused$/),
  );
});

test.each([...privateHosts, ['name', 'localhost']] as [string, string][])(
  'a webhook is not sent to a private address: %s, %s',
  async (_what, host) => {
    const organizationId = world.organization.id;
    const endpoint = await givenEndpoint(database, { url: `http://${host}:${port}/`, organizationId });
    await makeEvents(platform, 1);
    const attempt = await until(async () => {
      const [delivery] = await deliveriesTo(database, endpoint);
      return delivery && (await attemptsOf(database, delivery.id))[0];
    });
    expect(attempt).toMatchObject({ error: 'address_not_public' });
    expect(reached).toEqual([]);
  },
);
