import { createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  formToken,
  linkAddresses,
  linkDigest,
  linkToken,
  verifiedId,
  viewOfForm,
} from '../../server/src/domain/link-tokens.ts';

const [key, nextKey, otherKey] = Array.from({ length: 3 }, () => createSecretKey(randomBytes(32))) as [
  KeyObject,
  KeyObject,
  KeyObject,
];
const keysOf = (...accepted: [KeyObject, ...KeyObject[]]) => ({ current: accepted[0], accepted });
const keys = keysOf(key);
const [id, otherId] = [randomUUID(), randomUUID()];

describe('the token of a link', () => {
  const token = linkToken(key, 'start', id);

  test('is valid for its use, with the key that signed it', () => {
    expect(verifiedId(keys, 'start', token)).toBe(id);
    expect(verifiedId(keysOf(nextKey, key), 'start', token)).toBe(id);
    expect(verifiedId(keys, 'progress', token)).toBeUndefined();
    expect(verifiedId(keysOf(otherKey, nextKey), 'start', token)).toBeUndefined();
  });

  test('is not valid with the identifier of another link', () => {
    const bytes = Buffer.from(token, 'base64url');
    Buffer.from(otherId.replaceAll('-', ''), 'hex').copy(bytes);
    expect(verifiedId(keys, 'start', bytes.toString('base64url'))).toBeUndefined();
  });
});

describe('the token of a form', () => {
  const token = formToken(key, id);
  const [view = '', proof = ''] = token.split('.');

  test('names its view, for its own link', () => {
    expect(viewOfForm(keys, id, token)).toBe(view);
    expect(viewOfForm(keysOf(nextKey, key), id, token)).toBe(view);
    expect(viewOfForm(keys, otherId, token)).toBeUndefined();
    expect(viewOfForm(keysOf(otherKey, nextKey), id, token)).toBeUndefined();
  });

  test('is not valid with another view', () => {
    const other = randomBytes(16).toString('base64url');
    expect(viewOfForm(keys, id, `${other}.${proof}`)).toBeUndefined();
  });
});

test('the URL of a link stays the same while its key is accepted', () => {
  const baseUrl = 'https://go.example';
  const url = linkAddresses({ keys, baseUrl }).create(id);
  const digest = linkDigest(linkToken(key, 'start', id));
  const during = linkAddresses({ keys: keysOf(nextKey, key), baseUrl });
  expect(during.digestOf(url)).toEqual(digest);
  expect(during.of(id, digest)).toBe(url);
  expect(during.create(id)).not.toBe(url);
  expect(linkAddresses({ keys: keysOf(nextKey), baseUrl }).of(id, digest)).toBeUndefined();
});
