import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { theBundle } from './support.ts';

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

/** The column "Stateless" of the table in spec/guides/mock.md. */
describe('unlike the platform, the mock without state', () => {
  test('accepts any token, and checks no permission', async () => {
    const tokens = ['any', 'Bearer nonsense', 'tot_MockMemberMayaOkafor0000000000010tykRo'];
    for (const Authorization of tokens)
      expect(
        (await send(`${colleague}/terminate`, { method: 'POST', headers: { Authorization } })).status,
      ).toBe(200);
  });

  test('stores no change', async () => {
    await send(`${colleague}/terminate`, { method: 'POST' });
    expect(await (await send(colleague)).json()).toMatchObject({ profile: { status: 'ACTIVE' } });
  });

  test('has no rate limit', async () => {
    const sent = await Promise.all(Array.from({ length: 300 }, () => send('/organizations/roles')));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('ignores Idempotency-Key, If-Match and Range', async () => {
    const definition = { workflowDefinitionId: '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a01' };
    const key = { 'Idempotency-Key': '0f8fad5b-d9cb-469f-a165-70867728950e' };
    expect((await post('/workflows', definition, key)).status).toBe(200);
    expect((await post('/workflows', { ...definition, parameters: { other: 1 } }, key)).status).toBe(200);
    const range = await send('/resources/c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01', {
      headers: { Range: 'bytes=0-3' },
    });
    expect(range.status).toBe(200);
  });

  test('does not look for objects that a body names', async () => {
    const unknown = { workflowDefinitionId: '00000000-0000-4000-8000-000000000000' };
    expect((await post('/workflows', unknown)).status).toBe(200);
  });

  test('checks the request before it looks for the object of the path', async () => {
    const unknown = `${users}/00000000-0000-4000-8000-000000000000`;
    expect((await send(`${unknown}?colour=red`)).status).toBe(400);
    expect((await send(unknown)).status).toBe(404);
  });
});
