import { createSecretKey, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { bearerTokens } from '../../server/src/domain/bearer-tokens.ts';

const key = createSecretKey(randomBytes(32));
const tokens = bearerTokens(key);
const now = new Date('2026-11-19T09:00:00.900Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const family = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const claims = { family, generation: 3 };

/** The claims of a token, unverified. */
const read = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('an access token', () => {
  test('names its family, for 300 seconds', async () => {
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
      iat,
      exp,
    });
  });

  test('is not a refresh token, and a refresh token is not an access token', async () => {
    const access = await tokens.access(family, now);
    const refresh = await tokens.refresh(claims, later(60), now);
    expect(await tokens.verifyRefresh(access, now)).toEqual({ kind: 'invalid' });
    expect(await tokens.verifyAccess(refresh, now)).toEqual({ kind: 'invalid' });
  });
});

describe('a refresh token', () => {
  test('names its family and generation, until it ends', async () => {
    const token = await tokens.refresh(claims, later(60), now);
    expect(await tokens.verifyRefresh(token, later(59))).toEqual({ kind: 'valid', claims });
    expect(await tokens.verifyRefresh(token, later(60))).toEqual({ kind: 'expired' });
  });
});

describe('a token is invalid', () => {
  const forged = (by = key, change: (jwt: SignJWT) => SignJWT = (jwt) => jwt, alg = 'HS256') =>
    change(
      new SignJWT({ sid: family })
        .setProtectedHeader({ alg })
        .setIssuer('wrp')
        .setAudience('access')
        .setExpirationTime(Math.floor(later(60).getTime() / 1000)),
    ).sign(by);

  test('that is changed anywhere', async () => {
    const token = await tokens.access(family, now);
    const [head = '', body = '', signature = ''] = token.split('.');
    const longer = Buffer.from(JSON.stringify({ ...read(token), exp: 9e9 })).toString('base64url');
    for (const other of [
      `${head}.${longer}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      '',
      'a.b.c',
    ]) {
      expect(await tokens.verifyAccess(other, now)).toEqual({ kind: 'invalid' });
    }
  });

  test.each<[string, () => Promise<string>]>([
    ['signed with another key', () => forged(createSecretKey(randomBytes(32)))],
    ['signed in another way', () => forged(createSecretKey(randomBytes(64)), undefined, 'HS512')],
    ['of another issuer', () => forged(key, (jwt) => jwt.setIssuer('somebody'))],
    ['for another audience', () => forged(key, (jwt) => jwt.setAudience(['refresh', 'other']))],
    [
      'without an end',
      async () =>
        new SignJWT({ sid: family })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('wrp')
          .setAudience('access')
          .sign(key),
    ],
    ['not valid yet', () => forged(key, (jwt) => jwt.setNotBefore(later(30)))],
  ])('that is %s', async (_case, make) => {
    expect(await tokens.verifyAccess(await make(), now)).toEqual({ kind: 'invalid' });
  });

  test('that is not signed at all', async () => {
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const body = { ...read(await tokens.access(family, now)) };
    for (const alg of ['none', 'None', 'HS256']) {
      const token = `${encoded({ alg, typ: 'JWT' })}.${encoded(body)}.`;
      expect(await tokens.verifyAccess(token, now)).toEqual({ kind: 'invalid' });
    }
  });

  test('a correctly made one is valid, so the cases above fail for their own reason', async () => {
    expect(await tokens.verifyAccess(await forged(), now)).toEqual({ kind: 'valid', claims: { family } });
  });
});
