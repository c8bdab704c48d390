import { readFile } from 'node:fs/promises';
import { createClient, NotFoundError } from '@wrp/client';
import { handler, handlers } from '@wrp/client/msw';
import { operations } from '@wrp/client/operations';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientExamplesModule } from '../../scripts/generate/client-examples.ts';
import { methodsByGroup } from '../../scripts/generate/client-operations.ts';
import { routesOf } from '../../server/src/contract/routes.ts';

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const baseUrl = 'https://api.example.com';
const mock = setupServer(...handlers({ baseUrl }));
const ops = operations(createClient({ baseUrl, token: 'tot_1', retries: 0 }));
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

beforeAll(() => mock.listen({ onUnhandledRequest: 'error' }));
afterEach(() => mock.resetHandlers());
afterAll(() => mock.close());

describe('handlers', () => {
  const methods = [...methodsByGroup(routesOf(contract))].flatMap(([tag, ofTag]) =>
    ofTag.map((method) => ({ ...method, group: tag, title: `${tag}.${method.name}` })),
  );

  test.each(methods)(
    'respond to $title with the example of its success',
    async ({ group, name, path, operation }) => {
      const named = ops[group as keyof typeof ops] as unknown as Record<
        string,
        (...values: unknown[]) => { withResponse(): Promise<{ data: unknown; response: Response }> }
      >;
      const values = [...path.matchAll(/\{(\w+)\}/g)].map(() => userId);
      const body = operation.requestBody ? [{}] : [];
      const [status, success] =
        Object.entries(operation.responses).find(([one]) => one.startsWith('2')) ?? [];
      const { data, response } = (await named[name]?.(...values, ...body).withResponse()) ?? {};
      expect(response?.status).toBe(Number(status));
      const examples = Object.values(success?.content ?? {}).flatMap((media) =>
        Object.values(media.examples ?? {}),
      );
      if (examples[0] && data instanceof ReadableStream)
        expect(await new Response(data).text()).toBe(examples[0].value);
      else expect(data).toEqual(examples[0]?.value);
    },
  );

  test('take any origin by default', async () => {
    mock.use(...handlers());
    const elsewhere = createClient({ baseUrl: 'https://other.example', retries: 0 });
    expect((await elsewhere.GET('/organizations/roles')).response.status).toBe(200);
  });
});

describe('handler', () => {
  test('responds with the example of a status', async () => {
    mock.use(handler('getUser', 404));
    const caught = await ops.users.get(userId).catch((error) => error);
    expect(caught).toBeInstanceOf(NotFoundError);
    expect(caught).toMatchObject({ code: 'user_not_found', requestId: caught.fingerprint });
  });

  test('responds with a body', async () => {
    mock.use(handler('listUsers', { content: [], number: 0, size: 20, totalElements: 0, totalPages: 0 }));
    expect((await ops.users.list()).totalElements).toBe(0);
  });

  test('responds with the result of a function of the request', async () => {
    const user = await ops.users.get(userId);
    mock.use(
      handler('changeUserRole', async ({ request, params }) => {
        const { roleId } = (await request.json()) as { roleId: string };
        return params['userId'] === userId ? { ...user, roleId } : 404;
      }),
    );
    expect(await ops.users.changeRole(userId, { roleId: 'r1' })).toMatchObject({ roleId: 'r1' });
    await expect(ops.users.changeRole('other', { roleId: 'r1' })).rejects.toThrow(NotFoundError);
  });
});

test('the generator refuses a response without an example', () => {
  const without = structuredClone(contract);
  delete without.components.responses.UserNotFound.content['application/json'].examples;
  expect(() => clientExamplesModule(without)).toThrow('getUser 404 has no example in the contract.');
});
