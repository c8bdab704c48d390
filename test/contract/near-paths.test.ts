import { describe, expect, test } from 'vitest';
import { loadContract } from '../../server/contract/index.ts';
import { createPathRefusal } from '../../server/contract/near-paths.ts';

const { contract } = await loadContract(new URL('../../generated/openapi.json', import.meta.url));
const templates = [...new Set([...contract.operations.values()].map(({ template }) => template))];
const id = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

/** The path that the refusal of another one suggests. */
const suggested = (path: string) => {
  const { status, errors } = contract.refuseUnknown(path);
  expect([status, errors[0]?.code]).toEqual([404, 'path_not_found']);
  return /^There is no such path\. Did you mean `(.+)`\?$/.exec(errors[0]?.message ?? '')?.[1];
};

describe.each(templates)('the refusal of a path that is similar to %s names it', (template) => {
  const path = template.replaceAll(/\{\w+\}/g, id);

  test.each<[what: string, change: (path: string) => string]>([
    ['with a slash at the end', (one) => `${one}/`],
    ['with a slash twice', (one) => one.replace(/(?=\/[^/]*$)/, '/')],
    ['in upper case', (one) => one.toUpperCase()],
    ['behind a version', (one) => `/v3${one}`],
    ['behind a prefix and a version', (one) => `/api/v3${one}`],
    ['behind a longer prefix', (one) => `/docs/rest/public/api/v3${one}`],
    ['with two letters exchanged', (one) => one.replace(/([a-z])(?!\1)([a-z])/, '$2$1')],
    ['with a placeholder', (one) => `${one.replaceAll(id, '{id}')}/`],
    ['with short identifiers', (one) => `${one.replaceAll(id, '1')}/`],
  ])('%s', (_what, change) => {
    expect(suggested(change(path))).toBe(template);
  });

  test('with another letter in each name', () => {
    for (const name of template.split('/').filter((one) => /^[a-z]/.test(one)))
      expect(suggested(path.replace(name, `${name}x`))).toBe(template);
  });
});

test.each([
  ['/organizations/user', '/organizations/users'],
  ['/users', '/organizations/users'],
  ['/api/users', '/organizations/users'],
  ['/workflow', '/workflows'],
  ['/workflowDefinitions', '/workflow-definitions'],
  [`/organizations/users/${id}/reset_mfa`, '/organizations/users/{userId}/reset-mfa'],
  ['/organizations/user/me', '/organizations/users/{userId}'],
])('the refusal of %s names %s', (path, near) => {
  expect(suggested(path)).toBe(near);
});

test.each([
  ...[
    '/',
    '',
    '*',
    '//',
    '/nowhere',
    '/organizations',
    '/organizations/nowhere',
    '/admin',
    '/.env',
    '/index.php',
  ],
  ...[`/${id}`, `/organizations/${id}`, `/nowhere/${id}`, `/${'users/'.repeat(30)}x`, '/a/b/c/users'],
])('the refusal of %s, which is similar to nothing, names no path', (path) => {
  expect(suggested(path)).toBeUndefined();
});

test.each(['/', '', '//'])('the refusal of %j says where the documentation is', (path) => {
  expect(contract.refuseUnknown(path).errors[0]?.message).toBe(
    'There is no such path. The documentation is at `/docs`.',
  );
});

test('the longest paths of the contract are compared, and longer ones cost nothing', () => {
  const refuse = createPathRefusal(['/users']);
  const longest = Math.max(...templates.map((one) => one.replaceAll(/\{\w+\}/g, id).length));
  expect(longest).toBeLessThanOrEqual(150);
  expect(refuse(`/users${'/'.repeat(194)}`).errors[0]?.message).toContain('`/users`');
  expect(refuse(`/users${'/'.repeat(195)}`).errors[0]?.message).toBeUndefined();
  const hostile = ['a', '/a', '/users1', '1/', '{', '/resourcez', 'attachmentz'].flatMap((text) => [
    `/${text.repeat(200)}`.slice(0, 200),
    `/${text.repeat(8_000)}`.slice(0, 16_000),
  ]);
  for (const path of hostile) contract.refuseUnknown(path);
  const before = process.cpuUsage();
  for (let turn = 0; turn < 100; turn++) for (const path of hostile) contract.refuseUnknown(path);
  const { user } = process.cpuUsage(before);
  expect(user / 100 / hostile.length).toBeLessThan(500);
});
