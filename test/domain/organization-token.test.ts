import { describe, expect, test } from 'vitest';
import {
  isOrganizationToken,
  newOrganizationToken,
  secretDigest,
} from '../../server/src/domain/organization-token.ts';

describe('newOrganizationToken', () => {
  test('makes a unique tot_ with 32 base62 characters and a checksum of 6', () => {
    const tokens = Array.from({ length: 200 }, newOrganizationToken);
    for (const token of tokens) expect(token).toMatch(/^tot_[0-9A-Za-z]{38}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
    const letters = new Set(tokens.flatMap((token) => [...token.slice(4, 36)]));
    expect(letters.size).toBe(62);
  });
});

describe('isOrganizationToken', () => {
  test('accepts the result of newOrganizationToken', () => {
    for (let made = 0; made < 200; made++) expect(isOrganizationToken(newOrganizationToken())).toBe(true);
  });

  test('checks the CRC-32 in base62 in every release, because tokens outlive releases', () => {
    expect(isOrganizationToken(`tot_${'0'.repeat(32)}2wjyrI`)).toBe(true);
  });

  test('detects any changed character', () => {
    const token = newOrganizationToken();
    for (let at = 4; at < token.length; at++) {
      const other = token[at] === 'a' ? 'b' : 'a';
      expect(isOrganizationToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false);
    }
  });

  test('detects two swapped neighbours', () => {
    const token = newOrganizationToken();
    for (let at = 4; at < token.length - 1; at++) {
      const [one, other] = [token[at], token[at + 1]];
      if (one === other) continue;
      expect(isOrganizationToken(`${token.slice(0, at)}${other}${one}${token.slice(at + 2)}`)).toBe(false);
    }
  });

  test('refuses anything around the token', () => {
    const token = newOrganizationToken();
    const others = [
      '',
      'tot_',
      token.slice(4),
      ` ${token}`,
      `${token} `,
      `${token}\n`,
      `Bearer ${token}`,
      token + token,
    ];
    for (const text of [...others, token.replace('tot_', 'TOT_'), token.replace('tot_', 'tot-')]) {
      expect(isOrganizationToken(text)).toBe(false);
    }
  });
});

test('secretDigest returns the SHA-256 of a secret', () => {
  expect(secretDigest('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
