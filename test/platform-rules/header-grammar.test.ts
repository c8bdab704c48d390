import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exampleMock, serverOf } from '../../scripts/mock/examples/server.ts';
import { entityTag, ifMatch, isAmong } from '../../server/http-bodies/index.ts';
import { served } from '../mock/support.ts';
import { api as startApi } from '../support/api.ts';
import { bundle } from '../support/contract.ts';
import { type Received, raw, send } from '../support/raw-requests.ts';

const api = await startApi();
const { listener } = await exampleMock(bundle as never);
const mock = await served(listener);
const { token } = api.world.owner;
const { id: workflowDefinitionId } = api.world.workflowDefinition;
const body = JSON.stringify({ workflowDefinitionId, parameters: { a: 1 } });
const codeOf = ({ status, text }: Received) => (status >= 400 ? JSON.parse(text).errors[0].code : status);
const unsupported = 'content_type_unsupported';

/** Sends a POST with these header lines to the platform and the mock, whose responses must be alike. */
async function post(target: string, lines: string, sent = body): Promise<Received> {
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${token}\r\nContent-Length: ${sent.length}\r\n`;
  const [ours, theirs] = await Promise.all(
    [api.baseUrl, mock].map((url) => raw(url, `${head}${lines}\r\n\r\n${sent}`)),
  );
  expect(codeOf(theirs as Received)).toEqual(codeOf(ours as Received));
  expect(theirs?.headers['accept-encoding']).toBe(ours?.headers['accept-encoding']);
  return ours as Received;
}

test.each<[section: string, type: string, outcome: unknown]>([
  ['RFC 9110, 8.3.1: type and subtype', 'application/json', 201],
  ['RFC 9110, 8.3.1: in any case', 'Application/JSON', 201],
  ['RFC 9110, 8.3.2: charset in any case', 'application/json; Charset=UTF-8', 201],
  ['RFC 9110, 5.6.6: quoted', 'application/json;charset="utf-8"', 201],
  ['RFC 9110, 5.6.4: escaped', 'application/json; a="\\""; charset=utf-8', 201],
  ['RFC 9110, 5.6.6: empty parameters', 'application/json;; ; charset=utf-8 ;', 201],
  ['RFC 9110, 5.6.6: a charset within a quotation', 'application/json; profile="x; charset=latin1"', 201],
  [
    'RFC 9110, 5.6.6: a charset behind a quotation',
    'application/json; profile="x;"; charset=latin1',
    unsupported,
  ],
  ['RFC 9110, 5.6.6: other parameters', 'application/json; q=1; a=b', 201],
  ['RFC 8259, 8.1: UTF-8', 'application/json; charset=latin1', unsupported],
  ['RFC 8259, 8.1: UTF-8 only', 'application/json; charset=utf-16', unsupported],
  ['RFC 8259, 8.1: a charset', 'application/json; charset=""', unsupported],
  ['RFC 9110, 5.6.6: no space before =', 'application/json; charset =utf-8', unsupported],
  ['RFC 9110, 5.6.6: no space after =', 'application/json; charset= utf-8', unsupported],
  ['RFC 9110, 5.6.6: a value', 'application/json; charset', unsupported],
  ['RFC 9110, 5.6.4: closed quotation', 'application/json; charset="utf-8', unsupported],
  ['RFC 9110, 5.6.6: a semicolon', 'application/json charset=utf-8', unsupported],
  ['RFC 6838, 4.3: a parameter once', 'application/json; charset=utf-8; charset=latin1', unsupported],
  ['RFC 9110, 8.3: one value', 'application/json, application/json', unsupported],
  ['RFC 9110, 8.3: one field', 'application/json\r\nContent-Type: application/json', unsupported],
  ['RFC 9110, 8.3.1: no range', 'application/*', unsupported],
  ['RFC 9110, 8.3.1: no suffix', 'application/problem+json', unsupported],
  ['RFC 9110, 8.3: a value', '', unsupported],
])('a Content-Type is read by %s', async (_section, type, outcome) => {
  expect(codeOf(await post('/parameters', `Content-Type: ${type}`))).toBe(outcome);
});

describe('a Content-Encoding', () => {
  const json = 'Content-Type: application/json\r\n';

  test.each(['identity', 'Identity', '', ', identity,', 'identity, identity'])(
    'of "%s" changes nothing (RFC 9110, section 8.4)',
    async (encoding) => {
      const response = await post('/parameters', `${json}Content-Encoding: ${encoding}`);
      expect([response.status, response.headers['accept-encoding']]).toEqual([201, undefined]);
    },
  );

  test.each([
    'gzip',
    'br',
    'deflate, gzip',
    'identity, gzip',
    'identity;q=1',
    'mystery',
    'identity\r\nContent-Encoding: gzip',
  ])(
    'of "%s" is refused, and the response names what is accepted (RFC 9110, section 15.5.16)',
    async (encoding) => {
      const response = await post('/parameters', `${json}Content-Encoding: ${encoding}`);
      expect([codeOf(response), response.headers['accept-encoding']]).toEqual([unsupported, 'identity']);
    },
  );

  test('is refused by every entrance that reads a body, before the body', async () => {
    const headers = { Authorization: token, 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const response = await send(api.sandboxUrl, { method: 'POST', target: '/mcp', headers, body: 'x' });
    expect([response.status, response.headers['accept-encoding']]).toEqual([415, 'identity']);
  });

  test('is not the problem of another media type', async () => {
    const response = await post('/parameters', 'Content-Type: text/plain');
    expect([codeOf(response), response.headers['accept-encoding']]).toEqual([unsupported, undefined]);
  });
});

/** Lists of entity tags (RFC 9110, sections 5.6.1 and 8.8.3) that hold `"x"`. */
const listsWithX = [
  '"x"',
  '"a","x"',
  '"a" , "x"',
  ',"x",',
  ' , ,"x" ',
  '"a,b", "x"',
  '"", "x"',
  '"é", "x"',
  '"\\", "x"',
];
/** Malformed lists, and lists without it. */
const listsWithoutX = [
  '"a, "x"',
  '"x',
  'x',
  'x"',
  '"x" "a"',
  '"x"a',
  'w/"x"',
  'W/ "x"',
  '"x" y',
  '*, "x"',
  '"x", *',
  '**',
  '""x""',
  '"a"',
  '"a,"x"',
  '"a, \\"x\\""',
  "'x'",
  '"x";q=1',
  '"a b", "x"',
  '',
];

describe('a list of entity tags', () => {
  test.each(listsWithX)('%s holds "x"', (list) => expect(isAmong(list, '"x"')).toBe(true));
  test.each(listsWithoutX)('%s does not hold "x"', (list) => expect(isAmong(list, '"x"')).toBe(false));

  test('is compared weakly in If-None-Match, strongly in If-Match (RFC 9110, section 13.1)', async () => {
    const { headers } = await send(api.baseUrl, {
      method: 'GET',
      target: `/organizations/users/${api.world.owner.id}`,
      headers: { Authorization: token },
    });
    const etag = headers['etag'] ?? '';
    expect([isAmong(`W/${etag}`, etag), isAmong('*', etag), isAmong(undefined, etag)]).toEqual([
      true,
      true,
      false,
    ]);
    const matches = (header: string) => ifMatch(header)({ a: 1 });
    const own = entityTag(JSON.stringify({ a: 1 }));
    expect(['*', own, `"a", ${own}`, `W/${own}`, `"a, ${own}`, `${own} "a"`, ''].map(matches)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  test.each(['/openapi.json', '/openapi.yaml', '/docs', '/docs/errors'])(
    'is read so for %s',
    async (target) => {
      const ask = (headers: Record<string, string> = {}, method = 'GET') =>
        send(api.baseUrl, { method, target, headers });
      const etag = (await ask()).headers['etag'] ?? '';
      const statuses = async (values: string[]) =>
        Promise.all(values.map(async (value) => (await ask({ 'If-None-Match': value })).status));
      expect(await statuses([etag, `W/${etag}`, '*', `"a", ${etag}`, `,${etag}`])).toEqual(
        Array(5).fill(304),
      );
      expect(await statuses([`"a, ${etag}`, `${etag}x`, etag.slice(1, -1), `*, ${etag}`])).toEqual(
        Array(4).fill(200),
      );
      for (const method of ['GET', 'HEAD'])
        for (const encoding of ['gzip', 'gzip;q=0', 'identity', '*;q=0, identity', '']) {
          const { status, headers } = await ask({ 'Accept-Encoding': encoding }, method);
          expect([status, headers['content-encoding'], headers['etag']]).toEqual([
            200,
            encoding === 'gzip' ? 'gzip' : undefined,
            etag,
          ]);
        }
    },
  );
});

describe('credentials of the scheme Bearer', () => {
  test.each([
    ['Bearer ', 200],
    ['bEARER ', 200],
    ['Bearer   ', 200],
    ['Bearer', 401],
    ['Bearer\t', 401],
    ['Bearer=', 401],
    ['Bearer, ', 401],
  ])('after "%s": %i (RFC 6750, section 2.1)', async (scheme, status) => {
    const { owner: user, workspace: homeWorkspace } = api.world;
    const key = await api.given.apiKey({ user, homeWorkspace });
    const { data } = await api.anonymous.POST('/auth/authorize', { body: key });
    const accessToken = data?.accessToken ?? '';
    const headers = { Authorization: `${scheme}${accessToken}` };
    expect((await send(api.baseUrl, { method: 'GET', target: '/organizations/users', headers })).status).toBe(
      status,
    );
  });
});

describe('a mock refuses what HTTP does not allow, as the platform does', () => {
  test.each([
    ['two Host lines (RFC 9112, section 3.2)', 'Host: a\r\nHost: a'],
    ['an invalid Host (RFC 9112, section 3.2)', 'Host: a b'],
    ['no Host (RFC 9112, section 3.2)', 'X: 1'],
    ['an unknown coding (RFC 9112, section 6.1)', 'Host: a\r\nTransfer-Encoding: gzip, chunked'],
  ])('%s', async (_what, lines) => {
    const server = serverOf(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    for (const url of [api.baseUrl, mock, `http://127.0.0.1:${port}`])
      expect(codeOf(await raw(url, `GET /organizations/users HTTP/1.1\r\n${lines}\r\n\r\n`))).toBe(
        'request_malformed',
      );
  });
});
