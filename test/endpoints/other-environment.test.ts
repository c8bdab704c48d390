import { describe, expect, test } from 'vitest';
import { errorMessages } from '../../generated/operations.ts';
import { api } from '../support/api.ts';
import { given as givenIn } from '../support/given.ts';
import { send } from '../support/raw-requests.ts';
import { bodyOf } from '../support/responses.ts';
import { secured } from '../sweeps/support/contract.ts';
import { requestsOf, toSend, withToken } from '../sweeps/support/requests.ts';

const platform = await api();
const { given, world, clock, database } = platform;
const sandbox = await givenIn(platform.sandboxDatabase, clock);
const requests = requestsOf(platform);

const environments = {
  production: { name: 'production', baseUrl: platform.baseUrl, database, given, world },
  sandbox: {
    name: 'the sandbox',
    baseUrl: platform.sandboxUrl,
    database: platform.sandboxDatabase,
    given: sandbox,
    world: sandbox.world,
  },
};
type Environment = (typeof environments)['production'];
const invalid = errorMessages.credentials_invalid;

async function post<Body>(
  baseUrl: string,
  path: string,
  body: object,
): Promise<{ status: number; body: Body }> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Body };
}

/** A user of an environment, with every kind of credential. */
async function credentialsIn({ baseUrl, given, world }: Environment) {
  const user = await given.user({ organization: world.organization, role: 'admin' });
  const owner = { user, homeWorkspace: world.workspace };
  const apiKey = await given.apiKey(owner);
  const { body } = await post<Record<'accessToken' | 'refreshToken', string>>(
    baseUrl,
    '/auth/authorize',
    apiKey,
  );
  return { user, apiKey, token: await given.token(owner), ...body };
}

describe('decision 46: credentials of the other environment', () => {
  const { production, sandbox } = environments;

  describe.each([
    [sandbox, production],
    [production, sandbox],
  ])('of $name', (from, to) => {
    const message = (what: string) => `The ${what} belongs to ${from.name}, and this is ${to.name}.`;
    const call = async (authorization: string) => {
      const response = await fetch(`${to.baseUrl}/organizations/workspaces`, {
        headers: { Authorization: authorization },
      });
      return { status: response.status, body: await response.json() };
    };
    const refused = (text: string) => ({
      status: 401,
      body: { errors: [expect.objectContaining({ code: 'credentials_invalid', message: text })] },
    });

    test('are refused with a message that names it, whatever their kind', async () => {
      const { token, accessToken, refreshToken, apiKey } = await credentialsIn(from);
      expect(await call(token)).toMatchObject(refused(message('token')));
      expect(await call(`Bearer ${accessToken}`)).toMatchObject(refused(message('token')));
      expect(await post(to.baseUrl, '/auth/authorize', apiKey)).toMatchObject(refused(message('API key')));
      expect(await post(to.baseUrl, '/auth/refresh', { refreshToken })).toMatchObject(
        refused(message('refresh token')),
      );
    });

    test('are refused as any others when they are not valid there', async () => {
      const { user, token, accessToken, refreshToken, apiKey } = await credentialsIn(from);
      const wrongSecret = { ...apiKey, secret: `${apiKey.secret}x` };
      expect(await post(to.baseUrl, '/auth/authorize', wrongSecret)).toMatchObject(refused(invalid));
      await from.database
        .updateTable('users')
        .set({ status: 'TERMINATED' })
        .where('id', '=', user.id)
        .execute();
      expect(await call(token)).toMatchObject(refused(invalid));
      expect(await call(`Bearer ${accessToken}`)).toMatchObject(refused(invalid));
      expect(await post(to.baseUrl, '/auth/authorize', apiKey)).toMatchObject(refused(invalid));
      expect(await post(to.baseUrl, '/auth/refresh', { refreshToken })).toMatchObject(refused(invalid));
    });
  });

  test.each(secured)('are refused by $id with its message', async (operation) => {
    const request = withToken(toSend(await requests.valid(operation)), sandbox.world.owner.token);
    const response = await send(platform.baseUrl, request);
    expect(response.status).toBe(401);
    expect(response.text).toContain('The token belongs to the sandbox, and this is production.');
  });

  test('do not count as a sign-in there', async () => {
    const { apiKey, user } = await credentialsIn(sandbox);
    const signedIn = () =>
      sandbox.database
        .selectFrom('users')
        .select('last_signed_in_at')
        .where('id', '=', user.id)
        .executeTakeFirstOrThrow();
    const before = await signedIn();
    clock.forward(60_000);
    await post(production.baseUrl, '/auth/authorize', apiKey);
    expect(await signedIn()).toEqual(before);
  });

  test('with Bearer before an organization token, the message says so first', async () => {
    const response = fetch(`${production.baseUrl}/organizations/workspaces`, {
      headers: { Authorization: `Bearer ${sandbox.world.owner.token}` },
    });
    expect(JSON.stringify(await bodyOf(401, response))).toContain('Send an organization token without');
  });
});
