import { createClient, eachUser, ForbiddenError, unwrap } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import { platform } from './platform.ts';

const { baseUrl, given, world, clock } = platform;
for (let number = 0; number < 9; number++) {
  clock.forward(1_000);
  await given.user({ organization: world.organization });
}
let pages = 0;
const client = createClient({
  baseUrl,
  token: world.owner.token,
  fetch: (request) => {
    pages++;
    return fetch(request);
  },
});

async function idsOf(users: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of users) ids.push(id);
  return ids;
}

describe('eachUser', () => {
  test.each([1, 4, 13, 100])('yields every user once and in order with page size %i', async (size) => {
    const all = await unwrap(client.GET('/organizations/users', { params: { query: { size: 100 } } }));
    expect(all.totalElements).toBe(13);
    pages = 0;
    expect(await idsOf(eachUser(client, { size }))).toEqual(all.content.map(({ id }) => id));
    expect(pages).toBe(Math.ceil(13 / size));
  });

  test('fetches a page only when the previous one is used up', async () => {
    pages = 0;
    for await (const { id } of eachUser(client, { size: 4 })) if (id) break;
    expect(pages).toBe(1);
  });

  test('throws the error of a failed request', async () => {
    const member = createClient({ baseUrl, token: world.member.token });
    await expect(idsOf(eachUser(member))).rejects.toThrow(ForbiddenError);
  });

  test('stops when the caller aborts', async () => {
    const signal = AbortSignal.abort(new Error('Stopped by the caller.'));
    await expect(idsOf(eachUser(client, { signal }))).rejects.toThrow('Stopped by the caller.');
  });
});
