import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Attack, Group } from './attack.ts';
import { privateAddresses, privateHosts, refusedUrls } from './inputs/addresses.ts';
import { changeProfile, type Definition, type Target } from './target.ts';

const task = (Resource: string, Arguments: object) => ({
  Call: { Type: 'Task', Resource, Arguments, TimeoutSeconds: 30, End: true },
});
const url = '{% $states.input.parameters.url %}';

/** Every way in which a definition names a URL. */
export const callDefinitions: Definition[] = [
  { name: 'call', states: task('wrp:http:call', { url }) },
  { name: 'call with a query', states: task('wrp:http:call', { url, query: { a: 'b' } }) },
  { name: 'call with a body', states: task('wrp:http:call', { url, method: 'PUT', body: { a: 1 } }) },
  { name: 'callback', states: task('wrp:callback:wait', { request: { url } }) },
];

/** A server of this machine that no call may reach. */
export interface Inside extends Disposable {
  port: number;
  reached: string[];
}

export async function openInside(): Promise<Inside> {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(`${request.method} ${request.headers.host}${request.url}`);
    response.end('inside');
  });
  // Every address of this machine, IPv6 included.
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, reached, [Symbol.dispose]: close };
}

/** URLs of this machine for webhooks: with a path each, as most are the same host. */
export const webhookUrls = ({ port }: Inside) =>
  [...privateHosts.map(([, host]) => host), 'localhost'].map((host, at) => `http://${host}:${port}/${at}`);

/** Calls into the operator's network, as a definition, a caller or a webhook may name them. */
export function privateCalls(inside: Inside): Group {
  const { port } = inside;
  const bracketed = (address: string) =>
    address.includes(':') ? `[${address.replace('%', '%25')}]` : address;
  const urls: [what: string, url: string][] = [
    ...privateHosts.flatMap(([what, host]): [string, string][] =>
      ['http', 'https'].map((scheme) => [`${scheme}, ${what}`, `${scheme}://${host}:${port}/`]),
    ),
    ...privateAddresses.map(([what, address]): [string, string] => [
      what,
      `http://${bracketed(address)}:${port}/`,
    ]),
    ...refusedUrls.map(([what, address]): [string, string] => [what, address]),
    ['credentials', `http://public.example@127.0.0.1:${port}/`],
    ['a tab', `http://127.0.\t0.1:${port}/`],
    ['metadata', 'http://169.254.169.254/latest/meta-data/iam/security-credentials/'],
    ['metadata of Google', 'http://169.254.169.254/computeMetadata/v1/?recursive=true'],
    ['metadata, decimal', 'http://2852039166/latest/'],
    ['metadata, IPv6', 'http://[fd00:ec2::254]/latest/'],
  ];
  // Whether the resolver knows them or not, they are not reached.
  const names = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'x.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    // The host before the backslash counts.
    'public.example\\@127.0.0.1',
    hostname(),
  ];
  const more = privateHosts.slice(0, 12);
  return {
    tried: 'calls of private addresses',
    attacks: () => [
      ...urls.map(([what, address]) => call('call', what, address, /^Http\.Refused$/)),
      ...names.map((name) => call('call', name, `http://${name}:${port}/`, /^Http\.(Refused|Failed)$/)),
      ...callDefinitions
        .slice(1)
        .flatMap(({ name }) =>
          more.map(([what, host]) => call(name, what, `http://${host}:${port}/`, /^Http\.Refused$/)),
        ),
      ...webhookUrls(inside).map((address) => webhook(address)),
      {
        name: 'the demo definition that calls any URL',
        async run({ request, demo }) {
          const body = {
            workflowDefinitionId: demo.definitions.http,
            parameters: { url: `http://127.0.0.1:${port}/` },
          };
          const { status } = await request('POST', '/workflows', body, demo.organizationToken);
          return status === 200 ? undefined : `expected 200, got ${status}`;
        },
      },
    ],
    unchanged: async () => inside.reached.join(', '),
    atOnce: 8,
  };
}

function call(definition: string, what: string, address: string, expected: RegExp): Attack {
  return {
    name: `${definition}: ${what}: ${address}`,
    async run({ start, ending }) {
      const { status, error, cause } = await ending(await start(definition, { url: address }));
      if (status !== 'FAILED' || !expected.test(error ?? ''))
        return `ended ${status} with ${error}: ${cause}`;
      const shown = address.includes('://') ? cause : undefined;
      return shown && /\d+\.\d+\.\d+\.\d+|::/.test(shown)
        ? `the cause shows an address: ${cause}`
        : undefined;
    },
  };
}

/** Expects that the attempts of an endpoint are refused. */
function webhook(address: string): Attack {
  return {
    name: `webhook: ${address}`,
    async run({ request, database }: Target) {
      await changeProfile(request);
      for (;;) {
        const { rows } = await sql<{ status: number | null; error: string | null }>`
          select a.status, a.error from webhook_attempts a
            join webhook_deliveries d on d.id = a.delivery_id join webhook_endpoints e on e.id = d.endpoint_id
          where e.url = ${address} limit 1`.execute(database);
        const [attempt] = rows;
        if (attempt)
          return attempt.error === 'address_not_public'
            ? undefined
            : `the attempt got ${attempt.status ?? attempt.error}`;
        await sleep(100);
      }
    },
  };
}
