import { randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { newOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { linksOf } from '../links/support.ts';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal } from '../support/responses.ts';

/** Decision 37. The clock stands still, so a window lasts until a test moves it. */
const proxy = '127.0.0.2';
const platform = await api({ refusedAttempts: 3, trustedProxies: [proxy] });
const { baseUrl, clock, owner, world, given, statements, anonymous } = platform;
const links = linksOf(platform);
const definition = await links.definition();

interface Responded {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

interface Attempt {
  path: string;
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** The address of this machine that sends it. */
  from?: string;
}

function ask({ path, method = 'GET', headers = {}, body, from = '127.0.0.1' }: Attempt): Promise<Responded> {
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}${path}`, { method, headers, localAddress: from, agent: false });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.on('error', reject).end(body);
  });
}

const json = { 'Content-Type': 'application/json' };
const nextWindow = () => clock.forward(60_000);
/** An unknown token with a valid checksum, which only the database can refuse. */
const unknownToken = (from?: string): Attempt => ({
  path: '/organizations/workspaces',
  headers: { Authorization: newOrganizationToken() },
  ...(from && { from }),
});
const statuses = async (attempts: Attempt[]) => {
  const seen: number[] = [];
  for (const attempt of attempts) seen.push((await ask(attempt)).status);
  return seen;
};
const repeated = (count: number, attempt: () => Attempt) => Array.from({ length: count }, attempt);

describe('beyond its budget a refused attempt is 429', () => {
  const kinds: [string, Attempt, number][] = [
    ['an unknown organization token', unknownToken(), 401],
    [
      'a token with a wrong checksum',
      { path: '/organizations/users', headers: { Authorization: 'tot_x' } },
      401,
    ],
    [
      'a JWT that was not signed here',
      { path: '/organizations/users', headers: { Authorization: 'Bearer a.b.c' } },
      401,
    ],
    [
      'an unknown key at sign-in',
      { path: '/auth/authorize', method: 'POST', headers: json, body: '{"key":"wrpk_x","secret":"guess"}' },
      401,
    ],
    [
      'a forged refresh token',
      { path: '/auth/refresh', method: 'POST', headers: json, body: '{"refreshToken":"x"}' },
      401,
    ],
    [
      'a forged callback token',
      { path: `/callbacks/${'A'.repeat(72)}`, method: 'POST', headers: json, body: '{}' },
      404,
    ],
    ['a forged callback token of a heartbeat', { path: '/callbacks/x/heartbeat', method: 'POST' }, 404],
    ['a forged link', { path: `/links/${'A'.repeat(64)}` }, 404],
    [
      'a confirmation of a forged link',
      { path: `/links/${'A'.repeat(64)}`, method: 'POST', body: 'a=b' },
      404,
    ],
    ['a forged address of progress', { path: '/links/progress/x' }, 404],
    ['a forged address of a result', { path: '/links/progress/x/result' }, 404],
  ];

  test.each(kinds)('%s', async (_what, attempt, status) => {
    nextWindow();
    expect(await statuses(repeated(3, () => attempt))).toEqual([status, status, status]);
    const { status: beyond, headers } = await ask(attempt);
    expect(beyond).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(headers['ratelimit']).toMatch(/^"refused-attempts";r=0;t=\d+$/);
    expect(headers['ratelimit-policy']).toBe('"refused-attempts";q=3;w=60');
    nextWindow();
    expect((await ask(attempt)).status).toBe(status);
  });

  test('all refused attempts share one budget, which valid requests never use', async () => {
    nextWindow();
    const link = await links.link({ definition });
    const apiKey = await given.apiKey({ user: world.member, homeWorkspace: world.workspace });
    await statuses(kinds.slice(0, 8).map(([, attempt]) => attempt));
    expect((await ask(unknownToken())).status).toBe(429);

    expect(
      (await ask({ path: '/organizations/workspaces', headers: { Authorization: world.owner.token } }))
        .status,
    ).toBe(200);
    await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }));
    expect((await fetch(link)).status).toBe(200);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await ask({ path })).status).toBe(200);
    // A refusal for another reason keeps its status.
    expect((await ask({ path: '/organizations/users' })).status).toBe(401);
    expect((await ask({ path: '/nowhere' })).status).toBe(404);
    expect((await ask({ path: `/files/attachments/${randomUUID()}?expires=1&signature=x` })).status).toBe(
      403,
    );
    await expectRefusal(
      owner.GET('/organizations/users/{userId}', { params: { path: { userId: randomUUID() } } }),
      404,
      'user_not_found',
    );
  });
});

describe('an expired credential does not count', () => {
  test('an expired link, as often as it is opened', async () => {
    const link = await links.link({ definition });
    clock.forward(8 * 86_400_000);
    for (let opened = 0; opened < 5; opened++) expect((await fetch(link)).status).toBe(410);
  });

  test('a link that is no longer stored', async () => {
    const link = await links.link({ definition });
    const { id } = await links.row(link);
    await platform.database.deleteFrom('links').where('id', '=', id).execute();
    for (let opened = 0; opened < 5; opened++) expect((await fetch(link)).status).toBe(404);
  });

  test('an expired access token, which its client is about to refresh', async () => {
    const apiKey = await given.apiKey({ user: world.member, homeWorkspace: world.workspace });
    const { accessToken } = (await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }))) as {
      accessToken: string;
    };
    clock.forward(600_000);
    const expired = { path: '/organizations/users', headers: { Authorization: `Bearer ${accessToken}` } };
    expect(await statuses(repeated(5, () => expired))).toEqual([401, 401, 401, 401, 401]);
  });

  test('a request without credentials', async () => {
    nextWindow();
    expect(await statuses(repeated(5, () => ({ path: '/organizations/users' })))).toEqual([
      401, 401, 401, 401, 401,
    ]);
    expect((await ask(unknownToken())).status).toBe(401);
  });
});

describe('the budget is counted', () => {
  test('for each address', async () => {
    nextWindow();
    expect(await statuses(repeated(4, () => unknownToken('127.0.0.3')))).toEqual([401, 401, 401, 429]);
    expect((await ask(unknownToken('127.0.0.4'))).status).toBe(401);
  });

  const forwarded = (from: string, addresses: string): Attempt => ({
    ...unknownToken(from),
    headers: { Authorization: newOrganizationToken(), 'X-Forwarded-For': addresses },
  });

  test('for the address that a trusted proxy names, with an IPv6 /64 as one', async () => {
    nextWindow();
    const seen = [
      '2001:db8:1:2::1',
      '2001:db8:1:2::2',
      '2001:db8:1:2:ffff::',
      '2001:db8:1:2::3',
      '2001:db8:1:3::1',
    ];
    expect(await statuses(seen.map((one) => forwarded(proxy, one)))).toEqual([401, 401, 401, 429, 401]);
    const mapped = ['::ffff:203.0.113.9', '203.0.113.9', '::ffff:cb00:7109', '203.0.113.9'];
    expect(await statuses(mapped.map((one) => forwarded(proxy, one)))).toEqual([401, 401, 401, 429]);
  });

  test('for the connection without trusted proxies', async () => {
    nextWindow();
    const forged = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
    expect(await statuses(forged.map((one) => forwarded('127.0.0.3', one)))).toEqual([401, 401, 401, 429]);
  });
});

describe('a forged token', () => {
  test('is refused without a statement in the database', async () => {
    nextWindow();
    const before = statements.length;
    const attempts: Attempt[] = [
      { path: '/organizations/users', headers: { Authorization: `tot_${'a'.repeat(38)}` } },
      { path: `/callbacks/${'A'.repeat(72)}`, method: 'POST', headers: json, body: '{}' },
      { path: `/links/${'A'.repeat(64)}` },
      { path: `/links/${'A'.repeat(64)}`, method: 'POST', body: 'a=b' },
      { path: `/links/progress/${'A'.repeat(64)}` },
    ];
    expect(await statuses(attempts)).toEqual([401, 404, 404, 429, 429]);
    expect(statements.slice(before)).toEqual([]);
  });

  test("is refused with a page in the reader's language for a browser", async () => {
    nextWindow();
    const forged = { path: `/links/${'A'.repeat(64)}`, headers: { 'Accept-Language': 'fr' } };
    await statuses(repeated(3, () => forged));
    const { status, headers, text } = await ask(forged);
    expect(status).toBe(429);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain('<html lang="fr">');
    expect(text).toContain('Trop de tentatives');
  });

  test('is refused with an error object for a program', async () => {
    nextWindow();
    const forged = { path: '/callbacks/x', method: 'POST', headers: json, body: '{}' };
    await statuses(repeated(3, () => forged));
    const { text, headers } = await ask(forged);
    expect(JSON.parse(text)).toEqual({
      fingerprint: headers['request-id'],
      errors: [
        {
          code: 'rate_limit_exceeded',
          message: expect.stringMatching(
            /^More than 3 attempts a minute from this address were refused\. Retry in \d+ seconds?\.$/,
          ),
        },
      ],
    });
  });
});
