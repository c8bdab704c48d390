import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { bearerTokens } from '../../server/src/domain/bearer-tokens.ts';
import { forgedTokens, malformedFamilies } from '../support/hostile/tokens.ts';

const key = createSecretKey(randomBytes(32));
const tokens = bearerTokens({ current: key, accepted: [key] });
const now = new Date('2026-11-19T09:00:00.900Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const family = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const claims = { family, generation: 3 };

/** The claims of a token, unverified. */
const read = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('an access token', () => {
  test('is valid for its family for 300 seconds', async () => {
    const token = await tokens.access(family, now);
    expect(await tokens.verifyAccess(token, now)).toEqual({ kind: 'valid', claims: { family } });
    expect(await tokens.verifyAccess(token, later(299))).toMatchObject({ kind: 'valid' });
    expect(await tokens.verifyAccess(token, later(300))).toEqual({ kind: 'expired' });
  });

  test('contains no personal data', async () => {
    const [iat, exp] = [Date.parse('2026-11-19T09:00:00Z') / 1000, Date.parse('2026-11-19T09:05:00Z') / 1000];
    expect(read(await tokens.access(family, now))).toEqual({
      iss: 'wrp',
      aud: 'access',
      sid: family,
      jti: expect.stringMatching(/^[\da-f-]{36}$/),
      iat,
      exp,
    });
  });

  test('differs from one of the same sign-in and second', async () => {
    expect(await tokens.access(family, now)).not.toBe(await tokens.access(family, now));
  });

  test('is not a refresh token, and a refresh token is not an access token', async () => {
    const access = await tokens.access(family, now);
    const refresh = await tokens.refresh(claims, later(60), now);
    expect(await tokens.verifyRefresh(access, now)).toEqual({ kind: 'invalid' });
    expect(await tokens.verifyAccess(refresh, now)).toEqual({ kind: 'invalid' });
  });
});

test('a token is valid while its key is accepted, and a new one is signed with the current key', async () => {
  const nextKey = createSecretKey(randomBytes(32));
  const during = bearerTokens({ current: nextKey, accepted: [nextKey, key] });
  const [before, since] = [await tokens.access(family, now), await during.access(family, now)];
  for (const token of [before, since])
    expect(await during.verifyAccess(token, now)).toEqual({ kind: 'valid', claims: { family } });
  expect(await during.verifyAccess(before, later(300))).toEqual({ kind: 'expired' });
  const after = bearerTokens({ current: nextKey, accepted: [nextKey] });
  expect(await after.verifyAccess(before, now)).toEqual({ kind: 'invalid' });
  expect(await after.verifyAccess(since, now)).toEqual({ kind: 'valid', claims: { family } });
});

describe('a refresh token', () => {
  test('is valid for its family and generation until it expires', async () => {
    const token = await tokens.refresh(claims, later(60), now);
    expect(await tokens.verifyRefresh(token, later(59))).toEqual({ kind: 'valid', claims });
    expect(await tokens.verifyRefresh(token, later(60))).toEqual({ kind: 'expired' });
  });
});

describe('a token', async () => {
  const access = await tokens.access(family, now);
  const material = {
    access,
    key,
    now,
    refresh: await tokens.refresh(claims, later(60), now),
    otherKey: createSecretKey(randomBytes(32)),
    publicKey: generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString(),
  };

  test.each(await forgedTokens(material))('with %s is not valid', async (name, token) => {
    const kind = /^an end /.test(name) && !name.includes('text') ? 'expired' : 'invalid';
    expect(await tokens.verifyAccess(token, now)).toEqual({ kind });
  });

  test.each(malformedFamilies(material))('of %s is not valid', async (_name, token) => {
    expect(await tokens.verifyAccess(token, now)).toEqual({ kind: 'invalid' });
  });

  test('for refreshing is not valid without a generation', async () => {
    const token = await new SignJWT({ sid: family })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('wrp')
      .setAudience('refresh')
      .setExpirationTime(later(60))
      .sign(key);
    expect(await tokens.verifyRefresh(token, now)).toEqual({ kind: 'invalid' });
  });

  test('that is signed correctly is valid', async () => {
    expect(await tokens.verifyAccess(access, now)).toEqual({ kind: 'valid', claims: { family } });
  });
});
