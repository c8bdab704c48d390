import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { api as startApi } from '../support/api.ts';
import { demoPlatform } from '../support/demo.ts';
import { inParallel } from '../support/raw-requests.ts';
import { operations } from '../sweeps/support/contract.ts';
import { served, theBundle } from './support.ts';
import { casesOn } from './sweep/cases.ts';
import { differencesOf } from './sweep/compare.ts';
import { differences, reasonsFor } from './sweep/differences.ts';

const mock = await exampleMock(await theBundle());
const users = '/organizations/users';
const colleague = `${users}/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02`;

function send(path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) {
  return mock.fetch(
    new Request(`http://mock${path}`, { ...init, headers: { Authorization: 'any', ...headers } }),
  );
}
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('unlike the platform, the mock without state', () => {
  test('accepts any token, and checks no permission', async () => {
    const tokens = ['any', 'Bearer nonsense', 'tot_MockMemberMayaOkafor0000000000010tykRo'];
    for (const Authorization of tokens)
      expect(
        (await send(`${colleague}/terminate`, { method: 'POST', headers: { Authorization } })).status,
      ).toBe(200);
  });

  test.each([`Bearer tot_${'a'.repeat(38)}`, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'])(
    'refuses only the scheme of the other kind of token, as in %s',
    async (Authorization) => {
      const response = await send('/organizations/roles', { headers: { Authorization } });
      expect(response.status).toBe(401);
      expect(await response.text()).toMatch(/"message":"Send an (organization|access) token with/);
    },
  );

  test('stores no change', async () => {
    await send(`${colleague}/terminate`, { method: 'POST' });
    expect(await (await send(colleague)).json()).toMatchObject({ profile: { status: 'ACTIVE' } });
  });

  test('has no rate limit', async () => {
    const sent = await Promise.all(Array.from({ length: 300 }, () => send('/organizations/roles')));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('executes every request with the same Idempotency-Key, and replays none', async () => {
    const definition = { workflowDefinitionId: '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01' };
    const key = { 'Idempotency-Key': '0f8fad5b-d9cb-469f-a165-70867728950e' };
    for (const body of [definition, definition, { ...definition, parameters: { other: 1 } }]) {
      const response = await post('/workflows', body, key);
      expect([response.status, response.headers.get('Idempotency-Replayed')]).toEqual([200, null]);
    }
  });

  test('does not look for objects that a body names', async () => {
    const unknown = { workflowDefinitionId: '00000000-0000-4000-8000-000000000000' };
    expect((await post('/workflows', unknown)).status).toBe(200);
  });
});

/** The header, and one row for each subject: | **subject** | stateless | stateful | platform |. */
test('the guide has the differences that the sweep allows, and no others', async () => {
  const guide = await readFile('spec/guides/mock.md', 'utf8');
  const [, section = ''] = guide.split('\n## Differences from the platform\n');
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
  const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| /, '')));
  expect(cells.map(([subject, stateless]) => ({ subject, stateless }))).toEqual(
    differences.map(({ subject, stateless }) => ({ subject, stateless })),
  );
});

/** Sends one case in twenty of each operation, a different choice for each; `differences.slow.test.ts` sends all. */
test('without state, the mock differs from the platform only as the guide says', async () => {
  const demo = await demoPlatform({ refusedAttempts: 1_000_000 });
  const casesOf = await casesOn({ mockUrl: await served(mock.listener), demo, api: await startApi() });
  const sample = operations.flatMap((operation, offset) =>
    casesOf(operation).filter((_, index) => (index + offset) % 20 === 0),
  );
  expect(sample.length).toBeGreaterThan(200);
  const found = await inParallel(sample, async (one) =>
    (await differencesOf(one))
      .filter((difference) => reasonsFor(one, difference).length === 0)
      .map((difference) => `${one.operation.id}, ${one.what}: ${difference}`),
  );
  expect(found.flat(), 'change the mock, or add to test/mock/sweep/differences.ts and to the guide').toEqual(
    [],
  );
});
