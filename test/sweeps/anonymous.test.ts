import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EnvironmentName } from '../../server/src/config.ts';
import { newOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { deriveKey, openServerKey } from '../../server/src/security/server-key.ts';
import { api as startApi, testServerKey } from '../support/api.ts';
import { given as givenIn } from '../support/given.ts';
import { forgedTokens, malformedFamilies } from '../support/hostile/tokens.ts';
import { inParallel, type Sent, send } from '../support/raw-requests.ts';
import { advice } from './support/advice.ts';
import { isForm, type Operation, operations, secured } from './support/contract.ts';
import { codesOf, parsed, refusalError } from './support/refusals.ts';
import { acceptanceError, requestsOf, toSend } from './support/requests.ts';
import { stored } from './support/stored.ts';

const api = await startApi();
const { given, world, clock, database } = api;
const { organization, workspace } = world;
const requests = requestsOf(api);

interface Credential {
  name: string;
  /** Undefined: no header. */
  header: string | undefined;
  code: 'credentials_missing' | 'credentials_invalid' | 'token_expired';
}

const worthless = await worthlessCredentials();
const challenge = 'Bearer realm="Workflow and Records Platform"';

describe.each(secured)('$id', (operation) => {
  test.each(['valid', 'malformed'] as const)(
    'refuses invalid credentials with a %s request: 401',
    async (kind) => {
      const valid = toSend(await requests.valid(operation));
      const request = kind === 'valid' ? valid : malformed(operation, valid);
      const before = await stored(api);
      const problems = await inParallel(worthless, async ({ name, header, code }) => {
        const headers = { ...request.headers, ...(header !== undefined && { Authorization: header }) };
        const response = await send(api.baseUrl, { ...request, headers });
        if (response.status !== 401) return `${name}: ${response.status} ${response.text}`;
        if (response.headers['www-authenticate'] !== challenge) return `${name}: no WWW-Authenticate`;
        if (codesOf(response).join() !== code) return `${name}: ${codesOf(response)} instead of ${code}`;
        return withName(name, refusalError(operation, response));
      });
      expect(problems.filter(Boolean), advice('identity', operation)).toEqual([]);
      expect(
        await stored(api),
        `${operation.id} stored something for a caller that it does not know: ${advice('identity', operation)}`,
      ).toEqual(before);
    },
  );
});

describe.each(operations.filter(({ secured }) => !secured))('$id', (operation) => {
  test('ignores credentials', async () => {
    const problems = await inParallel(worthless, async ({ name, header }) => {
      const request = toSend(await requests.valid(operation));
      const headers = { ...request.headers, ...(header !== undefined && { Authorization: header }) };
      return withName(name, acceptanceError(operation, await send(api.baseUrl, { ...request, headers })));
    });
    const mend = `${operation.id} is public (security: []) in spec/paths, and must not look at Authorization`;
    expect(problems.filter(Boolean), mend).toEqual([]);
  });
});

describe('a forged token', async () => {
  const serverKey = await openServerKey({ dataDirectory: api.dataDirectory, serverKey: testServerKey });
  const keyOf = (environment: EnvironmentName) => deriveKey(serverKey, environment, 'bearer-tokens').current;
  const apiKey = await given.apiKey({ user: world.owner, homeWorkspace: workspace });
  const { accessToken, refreshToken } = await signIn(api.baseUrl, apiKey);
  const material = {
    access: accessToken,
    refresh: refreshToken,
    key: keyOf('production'),
    otherKey: keyOf('sandbox'),
    publicKey: await webhookKey(),
    now: clock.now(),
  };
  const forged = await forgedTokens(material);

  test.each([...forged, ...malformedFamilies(material)])('is refused with %s: 401', async (_name, token) => {
    const headers = { Authorization: `Bearer ${token}` };
    const { status } = await send(api.baseUrl, { method: 'GET', target: '/organizations/users', headers });
    expect(status).toBe(401);
  });

  const others = forged.filter(([, token]) => token !== refreshToken);
  test.each(others)('is no refresh token with %s: 401', async (_name, token) => {
    const body = JSON.stringify({ refreshToken: token || 'x' });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await send(api.baseUrl, { method: 'POST', target: '/auth/refresh', headers, body });
    expect(status).toBe(401);
  });

  test('is refused while the genuine one is accepted', () => works(`Bearer ${accessToken}`));
});

/** The public key of webhooks in PEM, the only key that a stranger can get. */
async function webhookKey(): Promise<string> {
  const operation = operations.find(({ id }) => id === 'getWebhookKey') as Operation;
  const { target } = toSend(await requests.valid(operation));
  const { text } = await send(api.baseUrl, { method: 'GET', target: `${target.split('?')[0]}?pem=true` });
  expect(text).toContain('BEGIN PUBLIC KEY');
  return text;
}

function withName(name: string, problem: string | undefined): string | undefined {
  return problem && `${name}: ${problem}`;
}

/** The same request with malformed identifiers and a malformed body. */
function malformed(operation: Operation, request: Sent): Sent {
  const target = `${operation.template.replaceAll(/\{[^}]+\}/g, 'not-an-id')}?surplus=1`;
  if (request.body === undefined) return { ...request, target };
  return { ...request, target, body: isForm(operation) ? 'no form' : '{"a":' };
}

async function worthlessCredentials(): Promise<Credential[]> {
  const expired = await accessOf(world.owner);
  await works(expired);
  clock.forward(301_000);
  const tokenOf = (user: { id: string }) => given.token({ user, homeWorkspace: workspace });
  const owner = () => given.user({ organization, role: 'owner' });

  const [revoked, leaver, reset] = [await owner(), await owner(), await owner()];
  const revokedHeaders = [await tokenOf(revoked), await accessOf(revoked)] as const;
  const leaverHeaders = [await tokenOf(leaver), await accessOf(leaver)] as const;
  const resetAccess = await accessOf(reset);
  for (const header of [...revokedHeaders, ...leaverHeaders, resetAccess]) await works(header);
  for (const table of ['organization_tokens', 'api_keys'] as const) {
    await database
      .updateTable(table)
      .set({ revoked_at: clock.now() })
      .where('user_id', '=', revoked.id)
      .execute();
  }
  await api.owner.POST('/organizations/users/{userId}/terminate', {
    params: { path: { userId: leaver.id } },
  });
  await api.owner.POST('/organizations/users/{userId}/reset-mfa', { params: { path: { userId: reset.id } } });
  const terminated = await given.user({ organization, role: 'owner', status: 'TERMINATED' });

  const sandbox = await givenIn(api.sandboxDatabase, clock);
  const { owner: sandboxOwner, workspace: sandboxWorkspace } = sandbox.world;
  const sandboxKey = await sandbox.apiKey({ user: sandboxOwner, homeWorkspace: sandboxWorkspace });
  const sandboxAccess = `Bearer ${(await signIn(api.sandboxUrl, sandboxKey)).accessToken}`;
  for (const header of [sandboxOwner.token, sandboxAccess]) await works(header, api.sandboxUrl);

  const homeKey = await given.apiKey({ user: world.owner, homeWorkspace: workspace });
  const { accessToken: access, refreshToken } = await signIn(api.baseUrl, homeKey);
  const [header = '', payload = '', signature = ''] = access.split('.');
  const claims = parsed(Buffer.from(payload, 'base64url').toString()) as object;
  const token = newOrganizationToken();
  const broken = `${world.owner.token.slice(0, -1)}${world.owner.token.endsWith('0') ? '1' : '0'}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const es256 = (input: string) =>
    sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const hmac = (hash: string, key: string) => (input: string) => createHmac(hash, key).update(input).digest();

  const invalid: [name: string, header: string][] = [
    ['garbage', 'garbage'],
    ['another scheme', 'Basic b3duZXI6b3duZXI='],
    ['an unknown token', token],
    ['a token with a broken checksum', broken],
    ['a token in another case', world.owner.token.toUpperCase()],
    ['a token as Bearer', `Bearer ${world.owner.token}`],
    ['two tokens', `${world.owner.token}, ${world.owner.token}`],
    ['a revoked token', revokedHeaders[0]],
    ["a terminated user's token", await tokenOf(terminated)],
    ["a token from before its user's termination", leaverHeaders[0]],
    ["an access token from before its user's termination", leaverHeaders[1]],
    ['an access token of a revoked key', revokedHeaders[1]],
    ['an access token from before a reset', resetAccess],
    ['a token of the sandbox', sandboxOwner.token],
    ['an access token of the sandbox', sandboxAccess],
    ['a refresh token', `Bearer ${refreshToken}`],
    ['an access token without Bearer', access],
    ['a JWT without a signature', `Bearer ${header}.${payload}.`],
    ['a JWT of no algorithm', `Bearer ${forged({ alg: 'none' }, claims, () => Buffer.alloc(0))}`],
    [
      'a JWT of no algorithm, in another case',
      `Bearer ${forged({ alg: 'None' }, claims, () => Buffer.alloc(0))}`,
    ],
    ['a JWT with a wrong secret', `Bearer ${forged({ alg: 'HS256' }, claims, hmac('sha256', 'secret'))}`],
    ['a JWT with an empty secret', `Bearer ${forged({ alg: 'HS256' }, claims, hmac('sha256', ''))}`],
    ['a JWT of another hash', `Bearer ${forged({ alg: 'HS512' }, claims, hmac('sha512', 'secret'))}`],
    ['a JWT of another key', `Bearer ${forged({ alg: 'ES256' }, claims, es256)}`],
    [
      'a JWT of the key that it brings',
      `Bearer ${forged({ alg: 'ES256', jwk: {}, kid: '../../dev/null' }, claims, es256)}`,
    ],
    [
      'a JWT with other claims',
      `Bearer ${header}.${base64url({ ...claims, exp: 9_999_999_999 })}.${signature}`,
    ],
    ['a JWT that is cut', `Bearer ${access.slice(0, -2)}`],
    ['a JWT of no JSON', 'Bearer e30.bm90anNvbg.c2ln'],
    ['a long header', `Bearer ${'a'.repeat(8_000)}`],
  ];
  return [
    { name: 'no header', header: undefined, code: 'credentials_missing' },
    { name: 'an empty header', header: '', code: 'credentials_missing' },
    { name: 'an expired JWT', header: expired, code: 'token_expired' },
    ...invalid.map(([name, header]) => ({ name, header, code: 'credentials_invalid' as const })),
  ];
}

/** The Authorization header of a user who signed in. */
async function accessOf(user: { id: string }): Promise<string> {
  const key = await given.apiKey({ user, homeWorkspace: workspace });
  return `Bearer ${(await signIn(api.baseUrl, key)).accessToken}`;
}

/** A credential that is to become invalid must be valid before. */
async function works(header: string, baseUrl = api.baseUrl): Promise<void> {
  const request = { method: 'GET', target: '/organizations/users', headers: { Authorization: header } };
  expect((await send(baseUrl, request)).status).toBe(200);
}

async function signIn(baseUrl: string, key: { key: string; secret: string }) {
  const headers = { 'Content-Type': 'application/json' };
  const exchange = { method: 'POST', target: '/auth/authorize', headers, body: JSON.stringify(key) };
  const { text } = await send(baseUrl, exchange);
  return JSON.parse(text) as { accessToken: string; refreshToken: string };
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A JWT that the platform never signed. */
function forged(header: object, claims: object, signing: (input: string) => Buffer): string {
  const input = `${base64url(header)}.${base64url(claims)}`;
  return `${input}.${signing(input).toString('base64url')}`;
}
