import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { formToken, linkToken, verifiedId, viewOfForm } from '../../server/src/domain/link-tokens.ts';

const key = createSecretKey(randomBytes(32));
const otherKey = createSecretKey(randomBytes(32));
const [id, otherId] = [randomUUID(), randomUUID()];

describe('the token of a link', () => {
  const token = linkToken(key, 'start', id);

  test('is valid for its use, with the key that signed it', () => {
    expect(verifiedId(key, 'start', token)).toBe(id);
    expect(verifiedId(key, 'progress', token)).toBeUndefined();
    expect(verifiedId(otherKey, 'start', token)).toBeUndefined();
  });

  test('is not valid with the identifier of another link', () => {
    const bytes = Buffer.from(token, 'base64url');
    Buffer.from(otherId.replaceAll('-', ''), 'hex').copy(bytes);
    expect(verifiedId(key, 'start', bytes.toString('base64url'))).toBeUndefined();
  });
});

describe('the token of a form', () => {
  const token = formToken(key, id);
  const [view = '', proof = ''] = token.split('.');

  test('names its view, for its own link', () => {
    expect(viewOfForm(key, id, token)).toBe(view);
    expect(viewOfForm(key, otherId, token)).toBeUndefined();
    expect(viewOfForm(otherKey, id, token)).toBeUndefined();
  });

  test('is not valid with another view', () => {
    const other = randomBytes(16).toString('base64url');
    expect(viewOfForm(key, id, `${other}.${proof}`)).toBeUndefined();
  });
});
