import { createHash } from 'node:crypto';
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
      const year = 365 * 86_400_000;
      for (const [time] of JSON.stringify(body).matchAll(/\b\d{4}-\d\d-\d\dT[^"]+/g)) {
        expect(new Date(time).toISOString()).toBe(time);
        expect(Math.abs(Date.now() - Date.parse(time) - year / 2)).toBeLessThan(year / 2 + 60_000);
      }
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
