import { describe, expect, test } from 'vitest';
import { createMatcher } from '../../server/contract/match.ts';

const match = createMatcher([
  { method: 'GET', template: '/users', entry: 'listUsers' },
  { method: 'POST', template: '/users', entry: 'createUser' },
  { method: 'GET', template: '/users/{userId}', entry: 'getUser' },
  { method: 'GET', template: '/users/me', entry: 'getOwnUser' },
  { method: 'PUT', template: '/users/{userId}/profile', entry: 'updateProfile' },
  { method: 'GET', template: '/tables/{tableId}/records/{recordId}', entry: 'getRecord' },
  { method: 'GET', template: '/tables/all/records', entry: 'listRecords' },
]);

function found(path: string) {
  const { methods, path: parameters } = match(path) ?? {};
  return methods && { operations: [...methods.values()], parameters };
}

describe('a path', () => {
  test('matches the operations of its methods', () => {
    expect(found('/users')).toEqual({ operations: ['listUsers', 'createUser'], parameters: {} });
    expect([...(match('/users')?.methods.keys() ?? [])]).toEqual(['GET', 'POST']);
  });

  test('yields the decoded values of its parameters', () => {
    const record = found('/tables/a%20b/records/%C3%A4');
    expect(record).toEqual({ operations: ['getRecord'], parameters: { tableId: 'a b', recordId: 'ä' } });
  });

  test('prefers a fixed segment to a parameter, and falls back to the parameter', () => {
    expect(found('/users/me')?.operations).toEqual(['getOwnUser']);
    expect(found('/users/me/profile')).toEqual({
      operations: ['updateProfile'],
      parameters: { userId: 'me' },
    });
    expect(found('/tables/all/records')?.operations).toEqual(['listRecords']);
    expect(found('/tables/all/records/1')?.parameters).toEqual({ tableId: 'all', recordId: '1' });
  });

  test('keeps an encoded slash inside its value', () => {
    expect(found('/users/a%2Fprofile')).toEqual({
      operations: ['getUser'],
      parameters: { userId: 'a/profile' },
    });
  });

  test('with malformed percent-encoding matches, with an empty value for the parameter', () => {
    for (const value of ['%', '%z', '%zz', '%E0%A4%A', '%ff'])
      expect(found(`/users/${value}`)?.parameters).toEqual({ userId: '' });
  });

  test('does not match with a trailing, doubled or missing slash', () => {
    for (const path of [
      '/users/',
      '/users/1/',
      '//users',
      '/users//profile',
      '/users/1//profile',
      'users',
      '/',
      '',
    ])
      expect(found(path), path).toBeUndefined();
  });

  test('does not match in another case, with a reserved character encoded, or as an absolute URL', () => {
    for (const path of [
      '/Users',
      '/users/1/Profile',
      '/users%2F1',
      '/%55sers',
      '/users%3B',
      'http://host/users',
      '*',
    ])
      expect(found(path), path).toBeUndefined();
  });

  test('matches with characters encoded that need no encoding (RFC 3986, section 6.2.2.2)', () => {
    expect(found('/%75sers')).toEqual(found('/users'));
    expect(found('/%75%73%65%72s/1/%70rofile')).toEqual(found('/users/1/profile'));
    // Decoding is not repeated.
    expect(found('/%2575sers')).toBeUndefined();
  });

  test('does not match if it has too many or too few segments', () => {
    expect(found('/tables/1')).toBeUndefined();
    expect(found('/users/1/profile/1')).toBeUndefined();
    expect(found('/a'.repeat(100_000))).toBeUndefined();
  });

  test('does not match property names of Object.prototype', () => {
    for (const path of ['/__proto__', '/constructor', '/users/1/__proto__'])
      expect(found(path)).toBeUndefined();
    expect(found('/users/__proto__')?.parameters).toEqual({ userId: '__proto__' });
  });

  test('yields a new parameters object each time', () => {
    expect(match('/users')?.path).not.toBe(match('/users')?.path);
  });
});

describe('templates', () => {
  const matcher = (...templates: string[]) =>
    createMatcher(templates.map((template) => ({ method: 'GET', template, entry: template })));

  test('that match the same URLs are refused', () => {
    expect(() => matcher('/users/{a}', '/users/{b}')).toThrow('/users/{b}');
  });

  test('with a parameter that is not a whole segment are refused', () => {
    for (const template of ['/users/{id}.json', '/users/{id}*', '/files/{path*}'])
      expect(() => matcher(template)).toThrow('whole segment');
  });
});
