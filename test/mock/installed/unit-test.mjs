/** A unit test of somebody else: only the packed mock is installed where it runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock, startMock } from '@wrp/mock';

const headers = { Authorization: 'any' };
const colleague = '/organizations/users/5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

test('in this process, every status of the contract is one header away', async () => {
  const mock = await createMock();
  const found = await mock.fetch(colleague, { headers });
  assert.equal(found.status, 200);
  assert.equal((await found.json()).profile.firstName, 'Ines');
  const locked = await mock.fetch(
    new Request(`http://api.example${colleague}`, { headers: { ...headers, Prefer: 'code=503' } }),
  );
  assert.equal(locked.status, 503);
  assert.equal((await locked.json()).errors[0].code, 'service_unavailable');
});

test('in this process, requests are checked as the platform checks them', async () => {
  const mock = await createMock();
  const body = JSON.stringify({});
  const refused = await mock.fetch('/workflows', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  assert.equal(refused.status, 400);
  assert.equal((await refused.json()).errors[0].pointer, '/workflowDefinitionId');
  const form = new FormData();
  form.append('file', new File(['text'], 'terms.txt'));
  assert.equal((await mock.fetch('/resources', { method: 'POST', headers, body: form })).status, 201);
  assert.equal(
    (await mock.fetch('/resources', { method: 'POST', headers, body: new FormData() })).status,
    400,
  );
});

test('in this process, faults apply to the requests that follow', async () => {
  const mock = await createMock();
  mock.faults.add({ operation: 'getUser', status: 503, times: 1 });
  assert.equal((await mock.fetch(colleague, { headers })).status, 503);
  assert.equal((await mock.fetch(colleague, { headers })).status, 200);
  mock.faults.add({ drop: 'response' });
  await assert.rejects(mock.fetch(colleague, { headers }), TypeError);
  mock.faults.clear();
  assert.throws(() => mock.faults.add({ status: 200 }), /status must be a whole number from 400 to 599/);
});

test('in this process, a body is generated from its schema', async () => {
  const mock = await createMock();
  const generated = await mock.fetch(colleague, { headers: { ...headers, Prefer: 'dynamic=true' } });
  assert.match((await generated.json()).id, /^[0-9a-f-]{36}$/);
});

test('on a port, links lead to files of the mock', async () => {
  const mock = await startMock();
  const path =
    '/tables/9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01/records/2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01/attachments';
  const { link } = await (
    await fetch(`${mock.url}${path}/e1d2c3b4-a596-4788-8c6b-5f4e3d2c1b01`, { headers })
  ).json();
  const file = await fetch(link);
  assert.equal(file.headers.get('Content-Type'), 'image/jpeg');
  assert.ok((await file.arrayBuffer()).byteLength > 10_000);
  await mock.close();
  await assert.rejects(fetch(mock.url));
});

test('another version of the contract replaces that of the package', async () => {
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Small', version: '1' },
    paths: {
      '/hello': {
        get: {
          operationId: 'hello',
          responses: {
            200: {
              description: 'A greeting.',
              content: {
                'application/json': {
                  schema: { type: 'object' },
                  examples: { one: { value: { hello: 'world' } } },
                },
              },
            },
          },
        },
      },
    },
  };
  const mock = await createMock({ contract });
  assert.deepEqual(await (await mock.fetch('/hello')).json(), { hello: 'world' });
  await assert.rejects(createMock({ contract: { swagger: '2.0' } }), /not an OpenAPI 3.1 document/);
});
