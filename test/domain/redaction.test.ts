import { createSecretKey, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../server/json/index.ts';
import { callbackTokens } from '../../server/src/domain/callback-tokens.ts';
import { linkToken } from '../../server/src/domain/link-tokens.ts';
import { newOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { redactText, redactValue } from '../../server/src/domain/redaction.ts';

const redact = (value: Json) => redactValue(value, JSON.stringify(value));
const key = createSecretKey(Buffer.alloc(32, 7));
const callbackToken = callbackTokens({ current: key, accepted: [key] }).of({
  threadId: randomUUID(),
  step: 3,
});
const startToken = linkToken(key, 'start', randomUUID());
const organizationToken = newOrganizationToken();
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('a value below the name of a secret is redacted', () => {
  test.each<[Json, Json]>([
    [{ headers: { Authorization: 'Bearer abc' } }, { headers: { Authorization: '[redacted]' } }],
    [{ headers: { 'x-api-key': 'a', accept: 'b' } }, { headers: { 'x-api-key': '[redacted]', accept: 'b' } }],
    [
      { headers: { 'Set-Cookie': ['a=1', 'b=2'] } },
      { headers: { 'Set-Cookie': ['[redacted]', '[redacted]'] } },
    ],
    [{ 'Ocp-Apim-Subscription-Key': 'a' }, { 'Ocp-Apim-Subscription-Key': '[redacted]' }],
    [
      { body: { client_secret: 'a', clientId: 'b' } },
      { body: { client_secret: '[redacted]', clientId: 'b' } },
    ],
    [
      { accessToken: 'a', access_token: 'b' },
      { accessToken: '[redacted]', access_token: '[redacted]' },
    ],
    [{ credentials: { user: 'a', pin: 1234 } }, { credentials: { user: '[redacted]', pin: '[redacted]' } }],
    [
      [{ password: '' }, { password: null }, { passwordless: 'no' }],
      [{ password: '' }, { password: null }, { passwordless: 'no' }],
    ],
    [
      { tokens: 3, secretary: 'Ada', cookies: 'two' },
      { tokens: 3, secretary: 'Ada', cookies: 'two' },
    ],
    [{ ['__proto__']: { password: 'a' } }, { ['__proto__']: { password: '[redacted]' } }],
    [
      { 'https://u:p@h/': 1, [jwt]: 'x' },
      { 'https://[redacted]@h/': 1, '[redacted]': 'x' },
    ],
    [
      { [jwt]: 1, [`${jwt}x`]: 2 },
      { '[redacted]': 1, '[redacted] 2': 2 },
    ],
  ])('%j', (value, expected) => {
    expect(JSON.stringify(redact(value))).toBe(JSON.stringify(expected));
  });
});

describe('a secret within a text is redacted', () => {
  test.each([
    ['Authorization: Bearer abcdefgh.ijklmnop-1', 'Authorization: [redacted] [redacted]'],
    ['basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', 'basic [redacted]'],
    ['https://user:pass@example.com/x', 'https://[redacted]@example.com/x'],
    ['https://a.example/f?X-Amz-Signature=abc&y=1', 'https://a.example/f?X-Amz-Signature=[redacted]&y=1'],
    ['grant_type=password&client_secret=s3cr3t&x=1', 'grant_type=password&client_secret=[redacted]&x=1'],
    ['{"access_token":"abc","n":1}', '{"access_token":"[redacted]","n":1}'],
    ['{\\"password\\": \\"abc\\"}', '{\\"password\\": \\"[redacted]\\"}'],
    ['{"password":"correct horse battery","n":1}', '{"password":"[redacted]","n":1}'],
    ['{"password":"a,b;c&d}e","n":1}', '{"password":"[redacted]","n":1}'],
    ['{"password":"a\\"b","n":1}', '{"password":"[redacted]","n":1}'],
    ['{"password":"cut off in the mid', '{"password":"[redacted]'],
    ['{"body":"{\\"secret\\":\\"a b\\",\\"n\\":1}"}', '{"body":"{\\"secret\\":\\"[redacted]\\",\\"n\\":1}"}'],
    ['{"body":"{\\"secret\\":\\"a \\\\\\"b\\"}"}', '{"body":"{\\"secret\\":\\"[redacted]\\"}"}'],
    ["{'api_key': 'a b', n: 1}", "{'api_key': '[redacted]', n: 1}"],
    ['{"password":["hunter2"]}', '{"password":[redacted]'],
    ['{"credentials":{"user":"u","pin":"1234"}}', '{"credentials":[redacted]'],
    ['password=[redacted] of user=u', 'password=[redacted] of user=u'],
    [`-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----`, '[redacted]'],
    [`sent ${jwt} to it`, 'sent [redacted] to it'],
    [`is ${organizationToken}.`, 'is [redacted].'],
    ['wrps_0123456789abcdefghij', '[redacted]'],
    [`https://a.example/callbacks/${callbackToken}`, 'https://a.example/callbacks/[redacted]'],
    [`https://a.example/links/${startToken}?x`, 'https://a.example/links/[redacted]?x'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redact({ note: text })).toEqual({ note: expected });
  });
});

test.each([
  'The basic cover of the claimant, C-2026-004711',
  'ada@example.com wrote to https://example.com/~ada?a=b',
  randomUUID(),
  'a'.repeat(64).replaceAll('a', '0f').slice(0, 64),
  'x'.repeat(73),
])('%s is not redacted', (text) => {
  expect(redact({ text })).toEqual({ text });
});

test.each([callbackToken, startToken])('a token is found wherever it is in a text: %s', (token) => {
  for (let before = 0; before < 140; before += 1) {
    const text = `${'. '.repeat(before / 2)}${before % 2 ? '.' : ''}${token} .`;
    expect(redactText(text)).toBe(text.replace(token, '[redacted]'));
  }
});

test.each([
  ['names', 'token '.repeat(20_000)],
  ['schemes', 'bearer '.repeat(20_000)],
  ['addresses', '://a'.repeat(30_000)],
  ['quotes', 'secret"'.repeat(20_000)],
  ['words', `${'ab-'.repeat(40_000)}`],
  ['keys', '-----BEGIN PRIVATE KEY-----'.repeat(5_000)],
  ['queries', '?a'.repeat(60_000)],
  ['open quotes', 'secret:"'.repeat(15_000)],
  ['escaped quotes', 'secret:\\"'.repeat(13_000)],
  ['backslashes', `secret:"${'\\'.repeat(119_000)}`],
  ['lists', 'secret:['.repeat(15_000)],
])('%s are redacted in linear time', (_, text) => {
  const took = (size: number) => {
    const startedAt = performance.now();
    redactText(text.slice(0, size));
    return performance.now() - startedAt;
  };
  took(1_000);
  expect(took(120_000)).toBeLessThan(500);
});
