import { readFile } from 'node:fs/promises';
import { createClient, NotFoundError } from '@wrp/client';
import { handler, handlers } from '@wrp/client/msw';
import { operations } from '@wrp/client/operations';
import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { clientExamplesModule } from '../../scripts/generate/client-examples.ts';
import { methodsByGroup } from '../../scripts/generate/client-operations.ts';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { openContract, type Route, resolve, routesOf } from '../../server/contract/index.ts';

interface Paged {
  content?: { id: string }[];
  events?: { id: string }[];
  size?: number;
  totalPages?: number;
  nextCursor?: string;
}

const contract = JSON.parse(await readFile('generated/openapi.json', 'utf8'));
const baseUrl = 'https://api.example.com';
const mock = setupServer(...handlers({ baseUrl }));
const ops = operations(createClient({ baseUrl, token: 'tot_1', retries: 0 }));
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

beforeAll(() => mock.listen({ onUnhandledFrame: 'error' }));
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
      const shown = examples[0]?.value as { content?: unknown[] } | undefined;
      if (examples[0] && data instanceof ReadableStream)
        expect(await new Response(data).text()).toBe(examples[0].value);
      else if (shown?.content)
        expect((data as typeof shown).content?.slice(0, shown.content.length)).toEqual(shown.content);
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

  test('has the page that the query selects, with ids and addresses of its own', async () => {
    const list = async (query: string) => {
      const response = await fetch(`${baseUrl}/organizations/users?${query}`);
      const { content, ...numbers } = (await response.json()) as { content: { id: string; email: string }[] };
      return { numbers, ids: content.map(({ id }) => id), emails: content.map(({ email }) => email) };
    };
    const pages = await Promise.all([0, 1, 2, 3, 4].map((page) => list(`page=${page}`)));
    expect(pages.map(({ ids }) => ids.length)).toEqual([20, 20, 20, 4, 0]);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(64);
    expect(new Set(pages.flatMap(({ emails }) => emails)).size).toBe(64);
    expect(pages[3]?.emails[3]).toBe('ines.moreau-64@alderfinch.example');
    expect(await list('')).toEqual(pages[0]);
    const first = await list('size=2');
    expect(first.ids).toEqual(pages[0]?.ids.slice(0, 2));
    expect(first.numbers).toEqual({ totalElements: 64, totalPages: 32, size: 2, number: 0 });
    expect(pages[3]?.numbers).toEqual({ totalElements: 64, totalPages: 4, size: 20, number: 3 });
  });

  const lists = routesOf(contract).filter(({ operation }) =>
    operation.parameters.some(({ name }) => name === 'size'),
  );

  test.each(lists.map((route) => ({ route, id: route.operation.operationId })))(
    'has the pages of $id whose size the query says, by default that of the contract, each entry once',
    async ({ route: { path, operation } }) => {
      const size = operation.parameters.find(({ name }) => name === 'size');
      const byDefault = (resolve(contract, size?.schema) as { default: number }).default;
      const url = `${baseUrl}${path.replaceAll(/\{\w+\}/g, userId)}`;
      const isByCursor = operation.parameters.some(({ name }) => name === 'cursor');
      const read = async (asked: number | undefined) => {
        const lengths: number[] = [];
        const ids = new Set<string>();
        let next: string | undefined = isByCursor ? '' : 'page=0';
        for (; next !== undefined && lengths.length < 50; ) {
          const query: string = [next, asked && `size=${asked}`].filter(Boolean).join('&');
          const page = (await (await fetch(`${url}?${query}`)).json()) as Paged;
          const entries = page.content ?? page.events ?? [];
          lengths.push(entries.length);
          for (const { id } of entries) ids.add(id);
          if (page.size !== undefined) expect(page.size).toBe(asked ?? byDefault);
          if (page.totalPages) next = lengths.length < page.totalPages ? `page=${lengths.length}` : undefined;
          else next = page.nextCursor && page.content ? `cursor=${page.nextCursor}` : undefined;
        }
        const total = lengths.reduce((sum, length) => sum + length, 0);
        expect(ids.size).toBe(total);
        // Every page is full, except the last one.
        for (const length of lengths.slice(0, -1)) expect(length).toBe(asked ?? byDefault);
        expect(lengths.at(-1)).toBeLessThanOrEqual(asked ?? byDefault);
        return total;
      };
      const total = await read(undefined);
      for (const asked of [3, byDefault, 100]) expect(await read(asked)).toBe(total);
    },
  );

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

describe('for every status, the handler of', async () => {
  const checked = await openContract(contract);
  const mocked = await exampleMock(contract);
  const requestTo = ({ path, operation }: Route, method: string, headers: Record<string, string> = {}) => {
    const { parameters, requestBody } = operation;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      String(parameters.find((one) => one.in === 'path' && one.name === name)?.example),
    );
    const [media] = Object.entries(requestBody?.content ?? {});
    const form = new FormData();
    form.set('file', new File(['%PDF-1.7'], 'terms.pdf', { type: 'application/pdf' }));
    const [example] = Object.values(media?.[1].examples ?? {});
    const isForm = media?.[0] === 'multipart/form-data';
    const body = media && (isForm ? form : JSON.stringify(example?.value));
    const type: Record<string, string> = media && !isForm ? { 'Content-Type': media[0] } : {};
    const sent = { Authorization: 'tot_1', ...type, ...headers };
    return new Request(`${baseUrl}${url}`, { method, headers: sent, ...(body && { body }) });
  };
  const declaredIn = (response: Response | undefined, names: string[]) =>
    Object.fromEntries(
      names
        .filter((name) => name !== 'Request-Id')
        // An entity tag is the digest of the body, which the mock server computes.
        .map((name) => [name, name === 'ETag' ? response?.headers.has(name) : response?.headers.get(name)]),
    );

  test.each(routesOf(contract).map((route) => ({ route, id: route.operation.operationId })))(
    '$id responds as the mock server does',
    async ({ route, id }) => {
      const { method, operation } = route;
      for (const [status, { headers = {}, content }] of Object.entries(operation.responses)) {
        const names = Object.keys(headers);
        for (const verb of method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])
          for (const authorization of ['tot_1', 'Bearer ey1']) {
            const request = (prefer: Record<string, string> = {}) =>
              requestTo(route, verb, { Authorization: authorization, ...prefer });
            const own = await getResponse([handler(id as 'getUser', Number(status) as 200)], request());
            const other = await mocked.fetch(request({ Prefer: `code=${status}` }));
            const title = `${verb} ${id} ${status}`;
            expect([title, own?.status]).toEqual([title, other.status]);
            expect({ title, ...declaredIn(own, names) }).toEqual({ title, ...declaredIn(other, names) });
            for (const [name, { required }] of Object.entries(headers))
              if (required) expect([title, name, own?.headers.has(name)]).toEqual([title, name, true]);
            const type = own?.headers.get('Content-Type') ?? undefined;
            expect([title, type === undefined]).toEqual([title, content === undefined]);
            const text = (await own?.text()) ?? '';
            expect([title, text === '']).toEqual([title, verb === 'HEAD' || content === undefined]);
            const body = type?.endsWith('json') && text ? JSON.parse(text) : text;
            const { operation: rules } = checked.match(method, new URL(request().url).pathname) ?? {};
            if (text)
              expect([title, rules?.checkReply(Number(status), type, body, {})]).toEqual([title, undefined]);
            if (body?.errors) expect(own?.headers.get('Request-Id')).toBe(body.fingerprint);
          }
      }
    },
  );

  test.each([...new Set(routesOf(contract).map(({ path }) => path))])(
    'a method that %s does not have gets the response of the mock server: 405 with Allow',
    async (path) => {
      const routes = routesOf(contract).filter((route) => route.path === path);
      const declared = routes.map(({ method }) => method.toUpperCase());
      const others = ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE'].filter(
        (method) => !declared.includes(method === 'HEAD' ? 'GET' : method),
      );
      for (const method of others) {
        const { operation, ...route } = routes[0] as Route;
        const { requestBody: _, ...withoutBody } = operation;
        const request = () => requestTo({ ...route, operation: withoutBody }, method);
        const own = await getResponse(handlers({ baseUrl }), request());
        const other = await mocked.fetch(request());
        const allow = other.headers.get('Allow');
        expect([method, own?.status, own?.headers.get('Allow')]).toEqual([method, 405, allow]);
        if (method === 'HEAD') continue;
        const [shown, expected] = [await own?.json(), await other.json()];
        expect(shown.errors).toEqual(expected.errors);
      }
    },
  );

  test('a preflight lets a page of another origin send the request and read the response', async () => {
    const Origin = 'https://app.example.com';
    const preflight = new Request(`${baseUrl}/organizations/users`, {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    const allowed = await getResponse(handlers({ baseUrl }), preflight);
    expect(allowed?.status).toBe(204);
    expect(Object.fromEntries(allowed?.headers ?? [])).toMatchObject({
      'access-control-allow-origin': Origin,
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'authorization',
    });
    const request = new Request(`${baseUrl}/organizations/users/${userId}`, { headers: { Origin } });
    const response = await getResponse(handlers({ baseUrl }), request);
    expect(response?.headers.get('Access-Control-Allow-Origin')).toBe(Origin);
    expect(response?.headers.get('Access-Control-Expose-Headers')).toContain('etag');
  });
});

test('HEAD of a mocked operation does not reach the network', async () => {
  const client = createClient({ baseUrl, token: 'tot_1', retries: 0 });
  const params = { path: { userId } };
  const head = () =>
    client.HEAD('/organizations/users/{userId}' as never, { params } as never) as Promise<{
      response: Response;
    }>;
  expect((await head()).response.headers.get('ETag')).toBeTruthy();
  mock.use(handler('getUser', 404));
  expect((await head()).response.status).toBe(404);
});

test('the generator refuses a header without an example', () => {
  const without = structuredClone(contract);
  delete without.components.headers.RetryAfter.example;
  expect(() => clientExamplesModule(without)).toThrow(
    /^Retry-After of \w+ 429 has no example in the contract\.$/,
  );
});

test('the generator refuses a response without an example', () => {
  const without = structuredClone(contract);
  delete without.components.responses.UserNotFound.content['application/json'].examples;
  expect(() => clientExamplesModule(without)).toThrow('getUser 404 has no example in the contract.');
});
