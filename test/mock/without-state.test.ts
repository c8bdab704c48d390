import { createHash } from 'node:crypto';
import { createClient, eachUser } from '@wrp/client';
import { describe, expect, test } from 'vitest';
import { exampleMock } from '../../scripts/mock/examples/server.ts';
import { openContract, routesOf } from '../../server/contract/index.ts';
import { examplePathOf, served, theBundle } from './support.ts';

const contract = await theBundle();
const checked = openContract(contract);
const mock = await exampleMock(contract);
const base = await served(mock.listener);
const known = { Authorization: 'tot_any' };
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(path.startsWith('http') ? path : base + path, { headers: { ...known, ...headers } });
const attachmentPath =
  '/tables/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01/records/2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01/attachments';

describe('a browser of an origin that may call', () => {
  test('may send every method and header that it requests', async () => {
    const response = await fetch(`${base}/organizations/users`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization,idempotency-key,x-anything',
      },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'authorization,idempotency-key,x-anything',
      'access-control-allow-credentials': 'true',
    });
  });

  test('may read every header that an operation documents', async () => {
    const response = await get('/organizations/users', { Origin: 'http://localhost:5173' });
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:5173');
    const exposed = response.headers.get('Access-Control-Expose-Headers')?.split(', ');
    const needed = [
      'Request-Id',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Content-Disposition',
      'ETag',
    ];
    expect(exposed).toEqual(expect.arrayContaining([...needed, 'Content-Length', 'Preference-Applied']));
  });

  test('may read an error', async () => {
    const response = await fetch(`${base}/nowhere`, { headers: { Origin: 'https://app.example' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example');
  });
});

test('HEAD has the headers of GET and no body', async () => {
  const path = `${base}/organizations/users`;
  const [full, head] = [
    await fetch(path, { headers: known }),
    await fetch(path, { method: 'HEAD', headers: known }),
  ];
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('Content-Length')).toBe(full.headers.get('Content-Length'));
});

describe('Prefer', () => {
  test('finds the status of an example by its name, and confirms it', async () => {
    const response = await get('/organizations/users/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02', {
      Prefer: 'example=userNotFound, respond-async',
    });
    expect(response.status).toBe(404);
    expect(response.headers.get('Preference-Applied')).toBe('example=userNotFound');
  });

  test('delays the response', async () => {
    const startedAt = performance.now();
    const response = await get('/organizations/roles', { Prefer: 'wait=0.3' });
    expect(performance.now() - startedAt).toBeGreaterThan(295);
    expect(response.status).toBe(200);
    expect(response.headers.get('Preference-Applied')).toBe('wait=0.3');
  });

  test.each(['wait=61', 'wait=soon', 'wait=1e3', 'dynamic=maybe', 'dynamic=true, example=organizationRoles'])(
    '%s is refused: 400 parameter_invalid',
    async (prefer) => {
      const response = await get('/organizations/roles', { Prefer: prefer });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        errors: [{ code: 'parameter_invalid', parameter: 'Prefer' }],
      });
    },
  );
});

describe('Prefer: dynamic=true', () => {
  const readable = routesOf(contract).filter(
    ({ method, operation: { responses } }) =>
      method === 'get' && responses['200']?.content?.['application/json'] !== undefined,
  );
  test.each(readable)(
    'generates a body of the schema of $operation.operationId, another each time',
    async (route) => {
      const path = examplePathOf(route);
      const ask = () => get(path, { Prefer: 'dynamic=true' });
      const [response, another] = [await ask(), await ask()];
      expect(response.status).toBe(200);
      expect(response.headers.get('Preference-Applied')).toBe('dynamic=true');
      const body = await response.json();
      const { operations } = await checked;
      const operation = operations.get(route.operation.operationId as never);
      expect(operation?.checkReply(200, 'application/json', body)).toBeUndefined();
      expect(await another.json()).not.toEqual(body);
    },
  );
});

describe('an identifier of the path', () => {
  const users = '/organizations/users';
  const astrid = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a01';
  const call = (path: string, method = 'GET') => fetch(base + path, { method, headers: known });
  const read = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, { ...init, headers: { ...known, ...init.headers } });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };

  test('selects the object that any example has under it', async () => {
    const { body } = await read(`${users}/${astrid}`);
    expect(body).toMatchObject({ id: astrid, email: 'astrid.alder@alderfinch.example' });
    const execution = '6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c02';
    expect((await read(`/workflows/${execution}`)).body).toMatchObject({ id: execution, status: 'RUNNING' });
  });

  test('selects the object that an action changes', async () => {
    const terminated = await read(`${users}/${astrid}/terminate`, { method: 'POST' });
    expect(terminated.body).toMatchObject({
      id: astrid,
      profile: { firstName: 'Astrid', status: 'TERMINATED' },
    });
  });

  test('selects an execution, whose state decides whether it can be cancelled and has a result', async () => {
    const states = new Set<string>();
    for (const last of ['01', '02', '03', '04', '05', '06', '07']) {
      const path = `/workflows/6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c${last}`;
      const { body } = await read(path);
      states.add(String(body['status']));
      const [cancelled, result] = [await call(`${path}/cancel`, 'POST'), await call(`${path}/result`)];
      const [isCompleted, isCancelled] = ['COMPLETED', 'CANCELLED'].map((one) => body['status'] === one);
      expect([path, cancelled.status, result.status]).toEqual([
        path,
        body['status'] === 'RUNNING' || isCancelled ? 204 : 409,
        isCompleted ? 200 : 404,
      ]);
      if (!isCompleted)
        expect(await result.json()).toMatchObject({ errors: [{ code: 'result_not_available' }] });
    }
    expect([...states].sort()).toEqual(['CANCELLED', 'COMPLETED', 'EXPIRED', 'FAILED', 'RUNNING']);
  });

  test('is compared without case, and returned in lower case', async () => {
    const { status, body } = await read(`${users}/${astrid.toUpperCase()}`);
    expect([status, body['id']]).toEqual([200, astrid]);
    const run = '/workflows/6A5B4C3D-2E1F-4A9B-8C7D-0E1F2A3B4C04';
    expect((await read(`${run}/result`)).status).toBe(404);
  });

  test('selects the file behind a link', async () => {
    const [, report] = (await read(attachmentPath)).body as never as { id: string; name: string }[];
    const { body } = await read(`${attachmentPath}/${report?.id}`);
    const file = await fetch(String(body['link']));
    expect(file.headers.get('Content-Disposition')).toContain(report?.name);
  });

  test('is known if any operation documents it', async () => {
    const unknown = [];
    for (const route of routesOf(contract)) {
      const response = await fetch(base + examplePathOf(route), {
        method: route.method,
        headers: { ...known, Prefer: 'wait=0' },
      });
      await response.body?.cancel();
      if (response.status === 404) unknown.push(route.operation.operationId);
    }
    expect(unknown).toEqual([]);
  });

  test.each([
    [`${users}/00000000-0000-4000-8000-000000000000`, 'user_not_found'],
    ['/workflows/00000000-0000-4000-8000-000000000000', 'execution_not_found'],
    [attachmentPath.replace(/9a3c5e70/, '00000000'), 'table_not_found'],
    [attachmentPath.replace(/2f4e6a80/, '00000000'), 'record_not_found'],
    [`${attachmentPath}/00000000-0000-4000-8000-000000000000`, 'attachment_not_found'],
    // That of another kind of object.
    [`${users}/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01`, 'user_not_found'],
  ])('is not found if no example has it: %s', async (path, code) => {
    const { status, body } = await read(path);
    expect([status, body]).toMatchObject([404, { errors: [{ code }] }]);
    expect((await read(path, { headers: { Prefer: 'code=200' } })).status).toBe(200);
  });
});

describe('a list in pages', () => {
  test('has each user of the examples on one page', async () => {
    const client = createClient({ baseUrl: base, token: 'any' });
    const seen = [];
    for await (const user of eachUser(client, { size: 1 })) seen.push(user.id);
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    const page = await (await get('/organizations/users?size=1&page=1')).json();
    expect(page).toMatchObject({ totalElements: seen.length, totalPages: seen.length, size: 1, number: 1 });
    expect(page).toMatchObject({ content: [{ id: seen[1] }] });
  });

  test('is empty after the last page', async () => {
    const page = await (await get('/organizations/users?page=9')).json();
    expect(page).toMatchObject({ content: [], number: 9 });
  });

  test('is the example as it is if its name is requested', async () => {
    const page = await get('/organizations/users', { Prefer: 'example=firstPageOfUsers' });
    expect(await page.json()).toMatchObject({ totalElements: 64, size: 2 });
  });
});

describe('a download', () => {
  test('is a complete PDF of the size and digest in the contract', async () => {
    const response = await get('/resources/c2a9e6d0-4b1f-4c83-9f27-6e5d4c3b2a01');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('Content-Type')).toBe('application/pdf');
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length));
    expect(response.headers.get('ETag')).toBe(`"${digestOf(bytes, 'base64url')}"`);
    expectPdf(bytes);
    const { policyTermsUploaded } = contract.components['examples'] as Record<string, { value: unknown }>;
    const documented = { data: { size: bytes.length, sha256: digestOf(bytes) } };
    expect(policyTermsUploaded?.value).toMatchObject(documented);
  });

  test('of an attachment comes from the mock, with the documented name, media type and size', async () => {
    const attachments = (await (await get(attachmentPath)).json()) as {
      id: string;
      name: string;
      type: string;
      size: number;
    }[];
    const { link } = (await (await get(`${attachmentPath}/${attachments[0]?.id}`)).json()) as {
      link: string;
    };
    expect(link.startsWith(`${base}/files/`)).toBe(true);
    const file = await fetch(link);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(file.headers.get('Content-Type')).toBe(attachments[0]?.type);
    expect(file.headers.get('Content-Disposition')).toContain(attachments[0]?.name);
    expect(bytes).toHaveLength(attachments[0]?.size ?? 0);
    expect([bytes.subarray(0, 3), bytes.subarray(-2)]).toEqual([
      Buffer.from([0xff, 0xd8, 0xff]),
      Buffer.from([0xff, 0xd9]),
    ]);
  });

  test('of a large result is JSON of the size and digest in the redirect', async () => {
    const response = await get('/workflows/6a5b4c3d-2e1f-4a9b-8c7d-0e1f2a3b4c01/result', {
      Prefer: 'example=largeResult',
    });
    const { redirectUrl, size, sha256 } = (await response.json()) as Record<string, string>;
    const file = await fetch(redirectUrl ?? '');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect([bytes.length, digestOf(bytes)]).toEqual([size, sha256]);
    expect(JSON.parse(bytes.toString())).toHaveProperty('workflowId');
  });
});

function digestOf(bytes: Buffer, encoding: 'hex' | 'base64url' = 'hex'): string {
  return createHash('sha256').update(bytes).digest(encoding);
}

/** The table of objects gives the offset of each object, and the end of the file the offset of the table. */
function expectPdf(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  const [, start] = /startxref\n(\d+)\n%%EOF\n*$/.exec(text) ?? [];
  expect(text.startsWith('xref\n', Number(start))).toBe(true);
  const offsets = [...text.slice(Number(start)).matchAll(/^(\d{10}) 00000 n $/gm)].map(
    ([, offset]) => offset,
  );
  expect(offsets.length).toBeGreaterThan(4);
  for (const [index, offset] of offsets.entries())
    expect(text.startsWith(`${index + 1} 0 obj\n`, Number(offset))).toBe(true);
}

describe('a list with a cursor', async () => {
  const tableId = '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b02';
  const read = async (path: string, query: Record<string, string>) =>
    (await (await get(`${path}?${new URLSearchParams(query)}`)).json()) as {
      content: Record<string, string>[];
      nextCursor?: string;
    };
  const lists = routesOf(await theBundle()).filter(
    ({ method, operation: { parameters, operationId } }) =>
      method === 'get' &&
      parameters.some(({ name }) => name === 'cursor') &&
      operationId !== 'pollWebhookEvents',
  );

  test.each(lists.map(({ path }) => path.replace('{tableId}', tableId)))(
    '%s ends, and has each entry once',
    async (path) => {
      const ids: unknown[] = [];
      let pages = 0;
      for (let cursor: string | undefined; pages === 0 || cursor; pages += 1) {
        expect(pages).toBeLessThan(100);
        const page = await read(path, { size: '2', ...(cursor && { cursor }) });
        ids.push(...page.content.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(pages).toBe(Math.ceil(ids.length / 2));
      expect(ids.length).toBeGreaterThan(1);
    },
  );

  test('is filtered by the fields that have the names of its parameters', async () => {
    expect((await read('/workflow-definitions', { name: 'echo' })).content).toMatchObject([{ name: 'echo' }]);
    expect((await read('/workflows', { status: 'FAILED' })).content).toSatisfy(
      (content: { status: string }[]) =>
        content.length > 0 && content.every(({ status }) => status === 'FAILED'),
    );
    expect(await read('/tables', { name: 'Nothing' })).toEqual({ content: [] });
  });

  test('has the identifiers of its path', async () => {
    const { content } = await read(`/tables/${tableId}/records`, {});
    expect(new Set(content.map((record) => record['tableId']))).toEqual(new Set([tableId]));
  });

  test('has other entries in another object, which the mock finds by their ids', async () => {
    const all = async (id: string) => (await read(`/tables/${id}/records`, { size: '100' })).content;
    const [here, there] = await Promise.all([all(tableId), all(tableId.replace(/2$/, '1'))]);
    expect(here.length).toBeGreaterThan(40);
    for (const field of ['id', 'name'])
      expect(new Set([...here, ...there].map((record) => record[field])).size).toBe(
        here.length + there.length,
      );
    const path = `/tables/${tableId}/records/${here.at(-1)?.['id']}/attachments`;
    expect((await get(path)).status).toBe(200);
    const name = encodeURIComponent(here.at(-1)?.['name'] ?? '');
    const found = await get(`/tables/${tableId}/records?name=${name}`);
    expect(await found.json()).toEqual({ content: [here.at(-1)] });
  });
});

describe('the list of executions', async () => {
  const read = async (path: string) => (await get(path)).json();
  type Entry = Record<string, string>;
  const { content: entries } = (await read('/workflows?size=100')) as { content: Entry[] };
  const { content: definitions } = (await read('/workflow-definitions')) as { content: Entry[] };

  test('has the newest first, in every status, of definitions that are listed', async () => {
    expect(entries.length).toBeGreaterThan(40);
    const dates = entries.map(({ createdDateTime = '' }) => createdDateTime);
    expect(dates).toEqual([...dates].sort().reverse());
    const { ExecutionStatus } = contract.components['schemas'] as Record<string, { enum: string[] }>;
    for (const status of ExecutionStatus?.enum ?? [])
      expect(entries.filter((entry) => entry['status'] === status).length).toBeGreaterThan(3);
    for (const entry of entries) {
      const { status, name, workflowDefinitionId } = entry;
      expect(definitions).toContainEqual(expect.objectContaining({ id: workflowDefinitionId, name }));
      expect(['failure' in entry, 'endedDateTime' in entry]).toEqual([
        status === 'FAILED',
        status !== 'RUNNING',
      ]);
    }
  });

  test('has the fields that an execution has when it is read', async () => {
    for (const entry of entries) {
      const { createdDateTime, endedDateTime, ...shared } = entry;
      const execution = await read(`/workflows/${entry['id']}`);
      expect(execution).toMatchObject(shared);
      expect(Object.hasOwn(execution, 'failure')).toBe('failure' in entry);
      const { operations } = await checked;
      expect(operations.get('getWorkflow')?.checkReply(200, 'application/json', execution)).toBeUndefined();
      const result = await get(`/workflows/${entry['id']}/result`);
      expect(result.status).toBe(entry['status'] === 'COMPLETED' ? 200 : 404);
    }
  });
});

describe('a new object', () => {
  const start = async (body: object) => {
    const headers = { ...known, 'Content-Type': 'application/json' };
    const response = await fetch(`${base}/workflows`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const wait = '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a02';

  test('has the fields of the request, and the name of the definition', async () => {
    const parameters = { subject: 'Hail' };
    const recordId = '2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e02';
    const sent = { workflowDefinitionId: wait.toUpperCase(), locale: 'fr', parameters, recordId };
    expect(await start({ ...sent, expiresAt: '2026-12-01T12:00:00+02:00' })).toMatchObject({
      ...{ ...sent, workflowDefinitionId: wait, name: 'wait', status: 'RUNNING' },
      expiresAt: '2026-12-01T10:00:00.000Z',
    });
  });

  test('has no values that neither its request nor its definition has', async () => {
    const execution = await start({ workflowDefinitionId: wait });
    expect(execution).toMatchObject({ name: 'wait', locale: 'en', parameters: {} });
    expect(execution).not.toHaveProperty('recordId');
  });
});

describe('a page of a list', () => {
  const pageOf = async (query: string, headers = {}) =>
    (await (await get(`/organizations/users?${query}`, headers)).json()) as {
      content: { id: string; email: string; profile: { firstName: string } }[];
      totalElements: number;
    };
  const modes = [
    ['of examples', {}],
    ['of generated entries', { Prefer: 'dynamic=true' }],
  ] as const;

  test.each(modes)('%s has the numbers of the page and size in the query', async (_, headers) => {
    const numbers = async (query: string) => {
      const { content, ...rest } = await pageOf(query, headers);
      return { ...rest, length: content.length };
    };
    const totalElements = 64;
    expect(await numbers('')).toEqual({ totalElements, totalPages: 4, size: 20, number: 0, length: 20 });
    expect(await numbers('page=3')).toEqual({ totalElements, totalPages: 4, size: 20, number: 3, length: 4 });
    expect(await numbers('page=1&size=2')).toEqual({
      ...{ totalElements, totalPages: 32, size: 2, number: 1, length: 2 },
    });
    expect(await numbers('page=9')).toEqual({ totalElements, totalPages: 4, size: 20, number: 9, length: 0 });
  });

  test('has entries of its own, the same each time, that the mock finds by their ids', async () => {
    const pages = await Promise.all([0, 1, 2, 3].map((page) => pageOf(`page=${page}`)));
    const users = pages.flatMap(({ content }) => content);
    expect(new Set(users.map(({ id }) => id)).size).toBe(64);
    expect(new Set(users.map(({ email }) => email)).size).toBe(64);
    expect(new Set(users.map(({ profile }) => profile.firstName)).size).toBeGreaterThan(20);
    expect((await pageOf('size=64')).content).toEqual(users);
    const found = await get(`/organizations/users/${users.at(-1)?.id}`);
    expect(await found.json()).toEqual(users.at(-1));
  });
});
