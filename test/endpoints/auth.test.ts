import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { eventsOf } from '../support/events.ts';
import { given as givenIn } from '../support/given.ts';
import { bodyOf, expectRefusal, responseOf } from '../support/responses.ts';

const platform = await api();
const { owner, anonymous, actor, world, given, database, clock, sandboxUrl, sandboxDatabase } = platform;
const { organization, workspace } = world;
const sandbox = await givenIn(sandboxDatabase, clock);

const second = 1000;
const day = 24 * 3600 * second;

interface Tokens {
  accessToken: string;
  refreshToken: string;
}
const exchange = (credentials: { key: string; secret: string }) =>
  anonymous.POST('/auth/authorize', { body: credentials });
const refresh = (refreshToken: string) => anonymous.POST('/auth/refresh', { body: { refreshToken } });
const works = async ({ accessToken }: Tokens) =>
  (await actor(`Bearer ${accessToken}`).GET('/organizations/workspaces')).response.status;

/** A user with an API key. */
async function keyHolder() {
  const user = await given.user({ organization, role: 'admin' });
  return { user, apiKey: await given.apiKey({ user, homeWorkspace: workspace }) };
}

/** The first pair of tokens of a sign-in. */
async function signIn(): Promise<Tokens> {
  return (await bodyOf(200, exchange((await keyHolder()).apiKey))) as Tokens;
}

async function refreshed({ refreshToken }: Tokens): Promise<Tokens> {
  return (await bodyOf(200, refresh(refreshToken))) as Tokens;
}

const wholeBody = {
  accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refreshToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  tokenType: 'Bearer',
  expiryDuration: 300,
};

describe('exchangeApiKey', () => {
  test('returns a pair of tokens that act as the user of the key', async () => {
    const { apiKey } = await keyHolder();
    const tokens = await bodyOf(200, exchange(apiKey));
    expect(tokens).toEqual(wholeBody);
    await bodyOf(200, actor(`Bearer ${(tokens as Tokens).accessToken}`).GET('/organizations/users', {}));
  });

  test("counts as the user's sign-in and nobody else's, and emits no event", async () => {
    const { user, apiKey } = await keyHolder();
    const other = await keyHolder();
    const signedInAt = async ({ id: userId } = user) => {
      const params = { path: { userId } };
      return (await owner.GET('/organizations/users/{userId}', { params })).data?.profile.lastSignedInAt;
    };
    expect(await signedInAt()).toBeNull();
    clock.forward(90 * second);
    const at = clock.now().toISOString();
    expect(await eventsOf(database, () => bodyOf(200, exchange(apiKey)))).toEqual([]);
    expect(await signedInAt()).toBe(at);
    expect(await signedInAt(other.user)).toBeNull();
    clock.forward(90 * second);
    await expectRefusal(exchange({ ...apiKey, secret: 'wrong' }), 401, 'credentials_invalid');
    expect(await signedInAt()).toBe(at);
  });

  test('returns new tokens each time and ignores the Idempotency-Key', async () => {
    const { apiKey } = await keyHolder();
    const headers = { 'Idempotency-Key': 'the-same' };
    const responses = [1, 2].map(() =>
      bodyOf(200, anonymous.POST('/auth/authorize', { body: apiKey, headers })),
    );
    const [first, other] = (await Promise.all(responses)) as [Tokens, Tokens];
    expect(first.refreshToken).not.toBe(other.refreshToken);
    expect(await database.selectFrom('idempotency_keys').selectAll().execute()).toEqual([]);
    await refreshed(first);
    await refreshed(other);
  });

  test('refuses an unknown key, a wrong secret, and a revoked key alike: 401', async () => {
    const { apiKey } = await keyHolder();
    const other = await keyHolder();
    await expectRefusal(exchange({ ...apiKey, key: 'wrpk_unknown' }), 401, 'credentials_invalid');
    await expectRefusal(exchange({ ...apiKey, secret: `${apiKey.secret}x` }), 401, 'credentials_invalid');
    await expectRefusal(exchange({ ...apiKey, secret: other.apiKey.secret }), 401, 'credentials_invalid');
    await bodyOf(200, exchange(apiKey));
    await database
      .updateTable('api_keys')
      .set({ revoked_at: clock.now() })
      .where('key', '=', apiKey.key)
      .execute();
    const { headers } = await expectRefusal(exchange(apiKey), 401, 'credentials_invalid');
    expect(headers.get('WWW-Authenticate')).toMatch(/^Bearer realm=/);
  });

  test('refuses a terminated user even if the key is not revoked: 401', async () => {
    const { user, apiKey } = await keyHolder();
    const tokens = (await bodyOf(200, exchange(apiKey))) as Tokens;
    await database.updateTable('users').set({ status: 'TERMINATED' }).where('id', '=', user.id).execute();
    await expectRefusal(exchange(apiKey), 401, 'credentials_invalid');
    await expectRefusal(refresh(tokens.refreshToken), 401, 'credentials_invalid');
    expect(await works(tokens)).toBe(401);
  });

  test('refuses a key of the sandbox: 401', async () => {
    const { owner: user, workspace: homeWorkspace } = sandbox.world;
    const apiKey = await sandbox.apiKey({ user, homeWorkspace });
    await expectRefusal(exchange(apiKey), 401, 'credentials_invalid');
    const there = await fetch(`${sandboxUrl}/auth/authorize`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(apiKey),
    });
    expect(there.status).toBe(200);
  });
});

describe('refreshTokens', () => {
  const reused =
    'The refresh token was used already, so all tokens of its sign-in are revoked: sign in with the API key again.';
  const revoked = 'All tokens of this sign-in are revoked: sign in with an API key that is in use.';
  const expired = 'The refresh token has expired: sign in with the API key again.';

  test('returns a new pair whose tokens both work', async () => {
    const first = await signIn();
    clock.forward(60 * second);
    const response = await bodyOf(200, refresh(first.refreshToken));
    expect(response).toEqual(wholeBody);
    const next = response as Tokens;
    expect(next.refreshToken).not.toBe(first.refreshToken);
    expect(await works(next)).toBe(200);
    expect(await works(await refreshed(next))).toBe(200);
  });

  test('does not count as a sign-in', async () => {
    const { user, apiKey } = await keyHolder();
    const tokens = (await bodyOf(200, exchange(apiKey))) as Tokens;
    const at = clock.now().toISOString();
    clock.forward(60 * second);
    await refreshed(tokens);
    const params = { path: { userId: user.id } };
    const { data } = await owner.GET('/organizations/users/{userId}', { params });
    expect(data?.profile.lastSignedInAt).toBe(at);
  });

  test('decision 17: accepts the previous token for 10 seconds, in case the response was lost', async () => {
    const first = await signIn();
    await refreshed(first);
    clock.forward(10 * second);
    const again = await refreshed(first);
    expect(await works(again)).toBe(200);
    expect(await works(await refreshed(again))).toBe(200);
  });

  test('returns a working pair to both of two concurrent requests', async () => {
    const first = await signIn();
    const [one, other] = (await Promise.all([refreshed(first), refreshed(first)])) as [Tokens, Tokens];
    expect([await works(one), await works(other)]).toEqual([200, 200]);
    await refreshed(one);
  });

  test('treats any later use of a used token as theft: revokes all tokens of that sign-in and no other', async () => {
    const { apiKey } = await keyHolder();
    const first = (await bodyOf(200, exchange(apiKey))) as Tokens;
    const bystander = (await bodyOf(200, exchange(apiKey))) as Tokens;
    const next = await refreshed(first);
    clock.forward(10 * second + 1);
    await expectRefusal(refresh(first.refreshToken), 401, 'credentials_invalid', { message: reused });
    await expectRefusal(refresh(next.refreshToken), 401, 'credentials_invalid', { message: revoked });
    expect([await works(first), await works(next), await works(bystander)]).toEqual([401, 401, 200]);
    const refused = actor(`Bearer ${next.accessToken}`).GET('/organizations/workspaces');
    await expectRefusal(refused, 401, 'credentials_invalid', { message: revoked });
    await refreshed(bystander);
  });

  test('treats the use of a token before the previous one as theft at once', async () => {
    const first = await signIn();
    const next = await refreshed(await refreshed(first));
    await expectRefusal(refresh(first.refreshToken), 401, 'credentials_invalid', { message: reused });
    await expectRefusal(refresh(next.refreshToken), 401, 'credentials_invalid', { message: revoked });
  });

  test('refuses a token that was unused for 7 days: 401', async () => {
    const [used, unused] = [await signIn(), await signIn()];
    clock.forward(7 * day - second);
    const next = await refreshed(used);
    clock.forward(second);
    await expectRefusal(refresh(unused.refreshToken), 401, 'credentials_invalid', { message: expired });
    clock.forward(7 * day - 2 * second);
    await refreshed(next);
  });

  test('refuses any token 30 days after the sign-in, however often it was refreshed: 401', async () => {
    let tokens = await signIn();
    for (let days = 0; days < 24; days += 6) {
      clock.forward(6 * day);
      tokens = await refreshed(tokens);
    }
    clock.forward(6 * day - second);
    tokens = await refreshed(tokens);
    clock.forward(second);
    await expectRefusal(refresh(tokens.refreshToken), 401, 'credentials_invalid', { message: expired });
  });

  test('refuses a token of a revoked key or a terminated user: 401', async () => {
    const [ended, terminated] = [await keyHolder(), await keyHolder()];
    const tokens = (await bodyOf(200, exchange(ended.apiKey))) as Tokens;
    const others = (await bodyOf(200, exchange(terminated.apiKey))) as Tokens;
    await database
      .updateTable('api_keys')
      .set({ revoked_at: clock.now() })
      .where('key', '=', ended.apiKey.key)
      .execute();
    await expectRefusal(refresh(tokens.refreshToken), 401, 'credentials_invalid', { message: revoked });
    expect(await works(tokens)).toBe(401);
    const params = { path: { userId: terminated.user.id } };
    await owner.POST('/organizations/users/{userId}/terminate', { params });
    await expectRefusal(refresh(others.refreshToken), 401, 'credentials_invalid', { message: revoked });
  });

  test('refuses any other string: 401', async () => {
    const { accessToken, refreshToken } = await signIn();
    const [head, , signature] = refreshToken.split('.');
    const forged = `${head}.${Buffer.from('{"sid":"x","gen":1}').toString('base64url')}.${signature}`;
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${refreshToken.split('.')[1]}.`;
    for (const token of [accessToken, forged, unsigned, 'x', `Bearer ${refreshToken}`]) {
      await expectRefusal(refresh(token), 401, 'credentials_invalid');
    }
    await bodyOf(200, refresh(refreshToken));
  });

  test('refuses a refresh token of the sandbox: 401', async () => {
    const { owner: user, workspace: homeWorkspace } = sandbox.world;
    const apiKey = await sandbox.apiKey({ user, homeWorkspace });
    const there = await fetch(`${sandboxUrl}/auth/authorize`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(apiKey),
    });
    const { refreshToken } = (await there.json()) as Tokens;
    await expectRefusal(refresh(refreshToken), 401, 'credentials_invalid');
  });

  test('sends no Deprecation header: only calls with the access token get one', async () => {
    const { headers } = await responseOf(refresh((await signIn()).refreshToken));
    for (const name of ['Deprecation', 'Sunset', 'Link']) expect(headers.get(name)).toBeNull();
  });
});
