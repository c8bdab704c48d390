import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen, securityHeaders, starting } from '../../server/http-server/index.ts';
import { openMetrics } from '../../server/src/observability/metrics.ts';
import { linksOf } from '../links/support.ts';
import { api } from '../support/api.ts';
import { sendRaw } from '../support/raw-requests.ts';
import { responseOf } from '../support/responses.ts';

const budgets = { requests: 5, uploads: 100, signIns: 100 };
const plain = await api({ budgets });
const { baseUrl, world, given, actor } = plain;
/** Production is served over https, the sandbox over http. */
const secured = await api({ publicUrls: { production: 'https://api.example.com', sandbox: undefined } });
const newToken = () => given.token({ user: world.owner, homeWorkspace: world.workspace });

describe('every response has a Request-Id of its own', () => {
  test.each(['/healthz', '/readyz', '/openapi.json', '/openapi.yaml', '/docs', '/nowhere'])(
    '%s',
    async (path) => {
      const ask = async () => (await fetch(baseUrl + path)).headers.get('Request-Id');
      const names = await Promise.all([ask(), ask()]);
      for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(names[0]).not.toBe(names[1]);
    },
  );
});

test('refusals count against the budget of the caller, so that nobody can guess identifiers without limit', async () => {
  const caller = actor(await newToken());
  const guess = () => {
    const params = { path: { userId: randomUUID() } };
    return responseOf(caller.GET('/organizations/users/{userId}', { params }));
  };
  const responses = [];
  for (let asked = 0; asked < 6; asked++) responses.push(await guess());
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429]);
  expect(responses[0]?.headers.get('RateLimit')).toMatch(/^"requests";r=4;t=\d+$/);
});

describe('a client that sends Expect: 100-continue', () => {
  const json = { 'Content-Type': 'application/json' };

  /** @returns whether 100 Continue came, and the status */
  function send(headers: object, body: string): Promise<[asked: boolean, status: number | undefined]> {
    return new Promise((resolve, reject) => {
      let asked = false;
      const all = { Expect: '100-continue', 'Content-Length': Buffer.byteLength(body), ...json, ...headers };
      const outgoing = request(`${baseUrl}/workflows`, { method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve([asked, response.statusCode]);
        outgoing.destroy();
      });
      outgoing.on('continue', () => {
        asked = true;
        outgoing.end(body);
      });
      outgoing.on('error', reject);
      outgoing.flushHeaders();
    });
  }

  const { id: workflowDefinitionId } = world.workflowDefinition;
  const start = JSON.stringify({ workflowDefinitionId });

  test('gets 100 Continue if the headers are accepted', async () => {
    expect(await send({ Authorization: await newToken() }, start)).toEqual([true, 200]);
    expect(await send({ Authorization: await newToken() }, '{')).toEqual([true, 400]);
  });

  test('gets no 100 Continue if the headers are refused', async () => {
    expect(await send({}, start)).toEqual([false, 401]);
    const tooLarge = { Authorization: await newToken(), 'Content-Length': 1 << 30 };
    expect(await send(tooLarge, start)).toEqual([false, 413]);
    const unknown = { Authorization: await newToken(), 'Content-Type': 'text/plain' };
    expect(await send(unknown, start)).toEqual([false, 415]);
  });
});

describe('every response has the headers against sniffing and downgrades:', () => {
  const forms: [string, number, string][] = [
    [
      'an operation',
      200,
      `GET /organizations/workspaces HTTP/1.1\r\nAuthorization: ${secured.world.owner.token}`,
    ],
    ['a refusal of an operation', 401, 'GET /organizations/workspaces HTTP/1.1'],
    ['HEAD', 405, 'HEAD /auth/authorize HTTP/1.1'],
    ['a method that is not there', 405, 'PATCH /organizations/users HTTP/1.1'],
    ['OPTIONS', 405, 'OPTIONS /organizations/users HTTP/1.1'],
    [
      'a preflight',
      204,
      'OPTIONS /workflows HTTP/1.1\r\nOrigin: http://localhost:1\r\nAccess-Control-Request-Method: POST',
    ],
    ['a path that is not there', 404, 'GET /nowhere HTTP/1.1'],
    ['a malformed path', 400, 'GET /% HTTP/1.1'],
    ['a body that nobody reads', 404, 'POST /nowhere HTTP/1.1\r\nContent-Length: 10'],
    ['liveness', 200, 'GET /healthz HTTP/1.1'],
    ['readiness', 200, 'GET /readyz HTTP/1.1'],
    ['the contract', 200, 'GET /openapi.json HTTP/1.1'],
    ['the portal', 200, 'GET /docs HTTP/1.1'],
    ['a page that the portal does not have', 404, 'GET /docs/nowhere HTTP/1.1\r\nAccept: text/html'],
    ['a redirect', 302, 'GET / HTTP/1.1\r\nAccept: text/html'],
    ['the page of a link', 404, 'GET /links/x HTTP/1.1'],
    ['a callback', 404, 'POST /callbacks/x HTTP/1.1\r\nContent-Length: 0'],
    ['a signed URL', 403, 'GET /files/attachments/x?expires=1&signature=x HTTP/1.1'],
  ];
  const others: [string, number, string][] = [
    ['what is no HTTP', 400, 'hello\r\n\r\n'],
    ['a request without a host', 400, 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['headers without end', 431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ];

  const bytesOf = (head: string) => `${head}\r\nHost: x\r\nConnection: close\r\n\r\n`;
  const nosniff = /\r\nX-Content-Type-Options: nosniff\r\n/gi;
  const secure = /\r\nStrict-Transport-Security: max-age=31536000\r\n/i;
  const heads = forms.map(([what, status, head]) => [what, status, bytesOf(head)] as const);
  // The sandbox does not have the token.
  const inSandbox = heads.filter(([what]) => what !== 'an operation');

  async function headOf(port: number, status: number, bytes: string): Promise<string> {
    const response = await sendRaw(port, [bytes]);
    expect(response.status).toBe(status);
    return `${response.headers}\r\n`;
  }

  test.each([...heads, ...others])('nosniff and HSTS, over https: %s', async (_what, status, bytes) => {
    const head = await headOf(secured.ports.production, status, bytes);
    expect(head.match(nosniff)).toHaveLength(1);
    expect(head).toMatch(secure);
  });

  test.each([...inSandbox, ...others])('only nosniff, over http: %s', async (_what, status, bytes) => {
    const head = await headOf(secured.ports.sandbox, status, bytes);
    expect(head.match(nosniff)).toHaveLength(1);
    expect(head).not.toMatch(secure);
  });

  test('nosniff for a file, a conditional request and the page of a link', async () => {
    const links = linksOf(plain);
    const link = await links.link({ definition: await links.definition() });
    const { data } = await plain.owner.POST('/resources', { body: { file: new File(['x'], 'x') } });
    const seen = [await plain.owner.fetch(`/resources/${data?.resourceId}`), await fetch(link)];
    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
    for (const { headers } of seen) expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    const { headers } = await fetch(`${plain.baseUrl}/openapi.json`);
    const conditional = `GET /openapi.json HTTP/1.1\r\nIf-None-Match: ${headers.get('ETag')}`;
    expect(await headOf(plain.ports.production, 304, bytesOf(conditional))).toMatch(nosniff);
  });

  test('both before the platform is ready, and nosniff for the metrics', async () => {
    const headers = securityHeaders('https://api.example.com');
    const listener = await listen(
      { host: '127.0.0.1', port: 0, settings: { host: 'HOST', port: 'PORT' }, headers },
      starting(headers),
    );
    const metrics = await openMetrics().listen('127.0.0.1', 0);
    onTestFinished(async () => void (await Promise.all([listener.drain(0), metrics.drain(0)])));
    const early = await fetch(`http://127.0.0.1:${listener.port}/`);
    expect(early.status).toBe(503);
    expect(early.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    const measured = ['/metrics', '/'].map((path) => fetch(`http://127.0.0.1:${metrics.port}${path}`));
    for (const { headers } of [early, ...(await Promise.all(measured))])
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});
