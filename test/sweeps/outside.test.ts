import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { api as startApi } from '../support/api.ts';
import { type Received, send, raw as sendBytes } from '../support/raw-requests.ts';
import { operations } from './support/contract.ts';
import { codesOf, refusalError } from './support/refusals.ts';
import { stored } from './support/stored.ts';

/** Responses outside of the contract's operations: the same error object, without internals. */
const api = await startApi({ metricsPort: 0 });
const token = api.world.owner.token;

const raw = (...bytes: (string | Buffer)[]) => sendBytes(api.baseUrl, ...bytes);
const ask = (method: string, target: string, headers = {}) => send(api.baseUrl, { method, target, headers });

function expectRefusal(response: Received, status: number, code: string): void {
  expect(refusalError(undefined, response)).toBeUndefined();
  expect([response.status, ...codesOf(response)]).toEqual([status, code]);
}

describe('an unknown path: 404 path_not_found', () => {
  const user = `/organizations/users/${api.world.owner.id}`;
  test.each([
    ...'/nowhere /organizations /users /admin /.env /index.php /api/v3/organizations/users *'.split(' '),
    // One object has one URL.
    ...`${user}/ ${user}/profile/ ${user}/PROFILE ${user}//profile //organizations/users`.split(' '),
    ...'/organizations//users /organizations/users/ /Organizations/users /organizations/./users'.split(' '),
    ...'/x/../organizations/users /organizations/x/..//users /x/%2e%2e/organizations/users'.split(' '),
    ...'/organizations/users/../roles /organizations%2Fusers /organizations%2fusers'.split(' '),
    ...String.raw`/organizations/users;a=b /organizations/users%00 /organizations\users`.split(' '),
    // Encoded bytes that are not UTF-8.
    '/%ff%fe',
    '/%c0%ae%c0%ae/etc/passwd',
    '/files/%ff',
  ])('%s', async (target) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expectRefusal(await ask(method, target, { Authorization: token }), 404, 'path_not_found');
  });
});

test('a target in absolute form is read as its path (RFC 9112, section 3.2.2)', async () => {
  for (const target of ['http://', 'http://?x', 'http://a/nowhere'])
    expectRefusal(await raw(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`), 404, 'path_not_found');
  const page = await raw('GET http://a:99999/links/x?lang=fr HTTP/1.1\r\nHost: a\r\n\r\n');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('lang="fr"');
});

describe('malformed percent-encoding outside of an operation: 400 request_malformed (RFC 3986, section 2.1)', () => {
  test.each([
    ...'/% /%z /%zz /%4 /organizations% /docs/%zz /docs/client%2 /openapi%.json /mcp% /healthz%'.split(' '),
    ...'/links/%zz /callbacks/%zz /callbacks/%/heartbeat /files/attachments/%zz /files/results/%'.split(' '),
  ])('%s', async (target) => {
    expectRefusal(await ask('GET', target), 400, 'request_malformed');
    expectRefusal(await ask('GET', `${target}?x=1`), 400, 'request_malformed');
  });
});

describe('a character that is encoded without need is read as itself (RFC 3986, section 6.2.2.2)', () => {
  const user = `/organizations/users/${api.world.owner.id}`;
  test.each([
    ['/organizations/users', '/organizations/%75sers'],
    ['/organizations/users', '/%6F%72ganizations/user%73?size=20'],
    [user, `/organizations/%55sers/${api.world.owner.id}`.replace('%55', '%75')],
    [user, user.replaceAll('-', '%2D')],
    [`${user}/profile`, `${user}/pro%66ile`],
    ['/docs', '/%64ocs'],
    ['/openapi.json', '/openapi%2ejson'],
    ['/healthz', '/health%7a'],
    ['/mcp', '/%6dcp'],
    ['/links/unknown', '/%6Cinks/unknown'],
    ['/callbacks/unknown', '/c%61llbacks/unknown'],
    ['/files/attachments/x?expires=1&signature=x', '/files/%61ttachments/x?expires=1&signature=x'],
  ])('%s is %s', async (plain, encoded) => {
    const seen = async (method: string, target: string) => {
      const { status, headers, text } = await ask(method, target, { Authorization: token });
      const isError = headers['content-type'] === 'application/json' && status >= 400;
      return [
        status,
        headers['allow'],
        headers['content-type'],
        isError ? JSON.parse(text).errors : undefined,
      ];
    };
    for (const method of ['GET', 'POST'])
      expect(await seen(method, encoded)).toEqual(await seen(method, plain));
  });
});

describe('a signed URL of a file', () => {
  test.each([
    '?',
    '?expires=1&signature=x',
    '?expires=9999999999&signature=',
    '?expires=1&expires=2&signature=x',
    '?expires[]=1&signature[]=x',
    `?expires=9999999999&signature=${'A'.repeat(43)}`,
  ])('with an invalid signature, %s: 403', async (query) => {
    for (const id of [api.world.owner.id, '%00', '..%2f..%2fetc%2fpasswd', 'x'.repeat(5_000)])
      expectRefusal(await ask('GET', `/files/attachments/${id}${query}`), 403, 'permission_denied');
  });
});

const templates = [...new Set(operations.map(({ template }) => template))];

describe.each(templates)('%s', (template) => {
  const declared = operations.filter((one) => one.template === template).map(({ method }) => method);
  const allowed = declared.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const target = template.replaceAll(/\{[^}]+\}/g, api.world.owner.id);

  test('refuses other methods: 405 with Allow', async () => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
    for (const method of others.filter((other) => !allowed.includes(other))) {
      for (const headers of [{}, { Authorization: token }]) {
        const response = await ask(method, target, headers);
        expect(response.headers['allow']?.split(', ').sort()).toEqual([...allowed].sort());
        if (method === 'HEAD') expect([response.status, response.text]).toEqual([405, '']);
        else expectRefusal(response, 405, 'method_not_allowed');
      }
    }
  });

  test('accepts a preflight, and nothing else, without a caller', async () => {
    const origin = { Origin: 'http://localhost:3000' };
    const preflight = { ...origin, 'Access-Control-Request-Method': allowed[0] ?? '' };
    expect(await ask('OPTIONS', target, preflight)).toMatchObject({ status: 204, text: '' });
    expectRefusal(await ask('OPTIONS', target, origin), 405, 'method_not_allowed');
    const foreign = await ask('OPTIONS', target, { ...preflight, Origin: 'https://evil.example' });
    expectRefusal(foreign, 405, 'method_not_allowed');
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });
});

const line = 'GET /organizations/users HTTP/1.1\r\n';
const host = 'Host: test\r\n';
const post = `POST /auth/authorize HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;

describe('malformed HTTP: 400 request_malformed', () => {
  test.each([
    ['noise', 'hello\r\n\r\n'],
    ['bytes of TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another version', `GET / HTTP/9.9\r\n${host}\r\n`],
    ['a path without its slash', `GET organizations/users HTTP/1.1\r\n${host}\r\n`],
    ['no host', `${line}\r\n`],
    ['two hosts', `${line}${host}${host}\r\n`],
    ['two hosts that differ', `${line}${host}hOST: other\r\n\r\n`],
    ['two empty hosts', `${line}Host:\r\nHost:\r\n\r\n`],
    ['two hosts in HTTP/1.0', `GET /organizations/users HTTP/1.0\r\n${host}${host}\r\n`],
    ...[
      'a b',
      'user@test',
      'http://test',
      'test/path',
      'test?x',
      'test#x',
      'test:port',
      'test:80:80',
      'te\\st',
      'a, b',
      '[::1',
      '::1',
      '[::1]x',
      '[1.2.3.4]',
      '[:::]',
      '"test"',
      '<test>',
      't\u00e9st',
      '%zz',
      'a%',
    ].map((name): [string, string] => [`the host ${name}`, `${line}Host: ${name}\r\n\r\n`]),
    ['a host that is invalid in a preflight', `OPTIONS /organizations/users HTTP/1.1\r\nHost: a b\r\n\r\n`],
    ['HTTP/2 in a line of HTTP/1', `GET / HTTP/2.0\r\n${host}\r\n`],
    ['a tunnel', `CONNECT test:443 HTTP/1.1\r\n${host}\r\n`],
    ['a space in the path', `GET /organizations/ users HTTP/1.1\r\n${host}\r\n`],
    ['an unknown method', `BREW /organizations/users HTTP/1.1\r\n${host}\r\n`],
    ['a method in another case', `get /organizations/users HTTP/1.1\r\n${host}\r\n`],
    ['a header without a colon', `${line}${host}nonsense\r\n\r\n`],
    ['a header with a space in its name', `${line}${host}X Y: 1\r\n\r\n`],
    ['a space before the colon', `${line}${host}Authorization : ${token}\r\n\r\n`],
    ['NUL in a header', `${line}${host}X: a\0b\r\n\r\n`],
    ['a lone carriage return in a header', `${line}${host}X: a\rb\r\n\r\n`],
    ['a folded header', `${line}${host}X: a\r\n b\r\n\r\n`],
    ['a length that is not a number', `${post}Content-Length: ten\r\n\r\n{}`],
    ['a negative length', `${post}Content-Length: -1\r\n\r\n{}`],
    ['a hexadecimal length', `${post}Content-Length: 0x2\r\n\r\n{}`],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a list of lengths', `${post}Content-Length: 2, 2\r\n\r\n{}`],
    ['a length and chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `${post}Transfer-Encoding: mystery\r\n\r\n{}`],
    ['compressed chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    [
      'compressed chunks in two headers',
      `${post}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['chunks twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', `${post.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['the coding identity', `${post}Transfer-Encoding: identity\r\n\r\n`],
    ['no coding', `${post}Transfer-Encoding:\r\n\r\n`],
    ['a length with a sign', `${post}Content-Length: +2\r\n\r\n{}`],
    ['a length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['no length', `${post}Content-Length:\r\n\r\n{}`],
    ['a length beyond any', `${post}Content-Length: 99999999999999999999\r\n\r\n{}`],
    ['chunks that are not last', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a chunk of no size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ])('%s', async (_name, bytes) => {
    expectRefusal(await raw(bytes), 400, 'request_malformed');
  });

  test.each([
    'test',
    'TEST:80',
    'test:',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:80',
    '[::ffff:1.2.3.4]',
    'a-b_c.d~e',
    '',
    "!$&'()*+,;=",
    '%41',
    'xn--tst-bma.example',
  ])('is not a request to the host "%s", which is valid (RFC 3986, section 3.2.2)', async (name) => {
    const { status } = await raw(`GET /healthz HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    expect(status).toBe(200);
  });

  test('is refused at the port of metrics, too', async () => {
    const metrics = `http://127.0.0.1:${api.metricsPort}`;
    for (const hosts of ['', 'Host: a\r\nHost: b\r\n', 'Host: a b\r\n'])
      expectRefusal(
        await sendBytes(metrics, `GET /healthz HTTP/1.1\r\n${hosts}\r\n`),
        400,
        'request_malformed',
      );
  });

  test('never runs the bytes after its body as a request', async () => {
    const before = await stored(api);
    const body = '{"key":"a","secret":"b"}';
    const smuggled = `POST /organizations/users/${api.world.member.id}/terminate HTTP/1.1\r\n${host}Authorization: ${token}\r\n\r\n`;
    const response = await raw(`${post}Content-Length: ${body.length - 1}\r\n\r\n${body}${smuggled}`);
    expect(refusalError(undefined, response)).toBeUndefined();
    expect(response.status).toBe(400);
    expect(await stored(api)).toEqual(before);
  });
});

test('endless headers are refused: 431 headers_too_large', async () => {
  for (const header of [
    `X: ${'x'.repeat(20_000)}`,
    'X: y\r\n'.repeat(5_000).trim(),
    `${'X'.repeat(20_000)}: y`,
  ])
    expectRefusal(await raw(`${line}${host}${header}\r\n\r\n`), 431, 'headers_too_large');
  const path = `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`;
  expectRefusal(await raw(path), 431, 'headers_too_large');
});

describe('the platform accepts unusual HTTP', () => {
  const get = `${line}${host}Authorization: ${token}\r\n`;
  test.each([
    ['an upgrade that nobody knows', `${get}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
    ['an expectation that nobody knows', `${get}Expect: tea\r\n\r\n`],
    ['the address of the server before the path', get.replace('GET /', `GET ${api.baseUrl}/`).concat('\r\n')],
    ['an empty line first', `\r\n${get}\r\n`],
    ['HTTP/1.0', get.replace('1.1', '1.0').concat('\r\n')],
  ])('%s', async (_name, bytes) => {
    const { status, text } = await raw(bytes);
    expect([status, text.slice(0, 11)]).toEqual([200, '{"content":']);
  });

  test('but refuses CONNECT', async () => {
    const { status, text } = await raw(`CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`);
    expect([status, text]).not.toEqual([200, '']);
  });
});

test('the platform survives a client that resets its CONNECT, or keeps its half of the connection open', async () => {
  const port = Number(new URL(api.baseUrl).port);
  const tunnel = `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`;
  for (let client = 0; client < 20; client++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(tunnel, () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  const open = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  open.write(tunnel);
  await once(open.resume(), 'end');
  // The server destroys its half: what is written then is reset.
  const writing = setInterval(() => open.write('x'), 100);
  await new Promise((resolve) => open.once('close', resolve));
  clearInterval(writing);
});

test('the platform still works', async () => {
  expect((await ask('GET', '/organizations/users', { Authorization: token })).status).toBe(200);
});
