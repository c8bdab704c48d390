import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';
import { storedText } from '../sweeps/support/stored.ts';

const platform = await api();
const { owner, anonymous, world, given, database, clock, baseUrl, log } = platform;
const { organization, workspace } = world;

interface Tokens {
  accessToken: string;
  refreshToken: string;
}
const path = '/organizations/workspaces';
const call = (authorization: string) =>
  fetch(`${baseUrl}${path}`, { headers: { Authorization: authorization } });

async function signIn(role: 'admin' | 'member' = 'admin') {
  const user = await given.user({ organization, role });
  const apiKey = await given.apiKey({ user, homeWorkspace: workspace });
  const tokens = await bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey }));
  return { user, apiKey, ...(tokens as Tokens) };
}

describe('an access token', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('follows %s', async (scheme) => {
    await bodyOf(200, call(`${scheme} ${(await signIn()).accessToken}`));
  });

  test('acts as the user of its key, with its role and home workspace', async () => {
    const { accessToken, user } = await signIn('member');
    await given.membership({ workspace, user, role: 'viewer' });
    expect(await bodyOf(200, call(`Bearer ${accessToken}`))).toMatchObject([{ id: workspace.id }]);
    const users = fetch(`${baseUrl}/organizations/users`, {
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    await expectRefusal(users, 403, 'permission_denied');
  });

  test('expires after 300 seconds: 401 token_expired', async () => {
    const { accessToken } = await signIn();
    clock.forward(299_999);
    await bodyOf(200, call(`Bearer ${accessToken}`));
    clock.forward(1);
    await expectRefusal(call(`Bearer ${accessToken}`), 401, 'token_expired');
  });

  test('decision 29: is deprecated, 12 months ahead: every response to it says so, and no other', async () => {
    const { accessToken } = await signIn('member');
    const seen = (headers: Headers) => ['Deprecation', 'Sunset', 'Link'].map((name) => headers.get(name));
    const since = [
      expect.stringMatching(/^@\d+$/),
      expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      expect.stringMatching(/^<\/docs.*>; rel="deprecation"; type="text\/html"$/),
    ];
    const [response, refusal] = [
      await responseOf(call(`Bearer ${accessToken}`)),
      await responseOf(
        fetch(`${baseUrl}/organizations/users?size=1`, {
          headers: { Authorization: `Bearer ${accessToken}` },
        }),
      ),
    ];
    expect([response.status, seen(response.headers)]).toEqual([200, since]);
    expect([refusal.status, seen(refusal.headers)]).toEqual([403, since]);
    const [deprecation, sunset] = seen(response.headers);
    const days = (Date.parse(sunset ?? '') / 1000 - Number(deprecation?.slice(1))) / (24 * 3600);
    expect(days).toBeGreaterThanOrEqual(365);
    expect(seen((await responseOf(call(world.owner.token))).headers)).toEqual([null, null, null]);
    expect(seen((await responseOf(call('Bearer x'))).headers)).toEqual([null, null, null]);
  });

  test('links to an existing page about it', async () => {
    const { headers } = await call(`Bearer ${(await signIn()).accessToken}`);
    const link = /^<([^>#]+)/.exec(headers.get('Link') ?? '')?.[1];
    expect(link).toBe('/docs/versioning');
  });
});

describe('an Authorization header', () => {
  test('with an unknown or malformed credential is refused: 401 credentials_invalid', async () => {
    const { accessToken } = await signIn();
    const { token } = world.owner;
    const others = [
      'tot_',
      'tot_xbearer',
      `tot_xbearer ${accessToken}`,
      `xbearer ${accessToken}`,
      accessToken,
      ` Bearer${accessToken}`,
      `Bearer\t${accessToken}`,
      `Bearer ${accessToken} ${accessToken}`,
      `Bearer ${accessToken}, Bearer ${accessToken}`,
      `Bearer ${accessToken},${token}`,
      'Bearer',
      'Bearer null',
      `${token} ${token}`,
      `${token},${token}`,
      `${token}=`,
      token.slice(0, -1),
      token.toUpperCase(),
      token.replace('tot_', 'TOT_'),
      token.slice(0, 4) + token.slice(4, 36).split('').reverse().join('') + token.slice(36),
      `Basic ${Buffer.from(`owner:${token}`).toString('base64')}`,
      `Token ${token}`,
      "' or 1=1 --",
    ];
    for (const header of others) await expectRefusal(call(header), 401, 'credentials_invalid');
  });

  test('that is sent twice is refused, even if one of the two is valid: 401', async () => {
    const status = (...values: string[]) =>
      new Promise((resolve, reject) => {
        const headers = ['Host', 'localhost', ...values.flatMap((value) => ['Authorization', value])];
        const sent = request(`${baseUrl}${path}`, { headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end();
      });
    expect(await status(world.owner.token)).toBe(200);
    expect(await status(world.owner.token, 'tot_x')).toBe(401);
    expect(await status('tot_x', world.owner.token)).toBe(401);
    expect(await status(world.owner.token, world.owner.token)).toBe(401);
  });
});

test('no secret is kept in the database or the log', async () => {
  const { user, apiKey, ...tokens } = await signIn();
  const token = await given.token({ user, homeWorkspace: workspace });
  const next = (await bodyOf(
    200,
    anonymous.POST('/auth/refresh', { body: { refreshToken: tokens.refreshToken } }),
  )) as Tokens;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'kept' };
  const userPath = `/organizations/users/${user.id}`;
  for (const authorization of [token, `Bearer ${next.accessToken}`, `Bearer ${token}`]) {
    const init = { method: 'POST', headers: { ...headers, Authorization: authorization }, body: '{}' };
    await owner.fetch(`${userPath}/reset-mfa?token=${token}`, init);
    await owner.fetch(`${userPath}/terminate/${token}`, init);
    await owner.fetch(`${userPath}/reset-mfa`, init);
  }
  const place = { tableId: world.table.id, recordId: world.record.id };
  const attached = await owner.POST('/tables/{tableId}/records/{recordId}/attachments', {
    params: { path: place },
    body: { file: new File(['x'], 'x') },
  });
  const linked = await owner.GET('/tables/{tableId}/records/{recordId}/attachments/{attachmentId}', {
    params: { path: { ...place, attachmentId: attached.data?.id ?? '' } },
  });
  const link = linked.data?.link ?? '';
  expect((await responseOf(fetch(link))).status).toBe(200);
  await expectRefusal(fetch(`${link}x`), 403, 'permission_denied');

  const secrets = {
    token,
    secret: apiKey.secret,
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    nextAccessToken: next.accessToken,
    nextRefreshToken: next.refreshToken,
    signature: new URL(link).searchParams.get('signature') ?? '',
  };
  const kept = {
    database: await storedText(database),
    log: log.map((line) => JSON.stringify(line)).join('\n'),
  };
  expect(kept.database).toContain(user.id);
  expect(kept.log).toContain(user.id);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret).not.toBe('');
    const spellings = [secret, secret.split('.').at(-1) ?? secret];
    spellings.push(
      ...spellings.flatMap((text) => [
        Buffer.from(text).toString('hex'),
        Buffer.from(text).toString('base64url'),
        Buffer.from(text, 'base64url').toString('hex'),
      ]),
    );
    for (const [place, text] of Object.entries(kept)) {
      const found = spellings.filter((spelling) => text.includes(spelling));
      expect(found, `the ${name} in the ${place}`).toEqual([]);
    }
  }
});
