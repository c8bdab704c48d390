/** A test of somebody else, with the packed client and mock, in an environment of Vitest. */
import { createAttachment, createClient, eachUser, uploadResource } from '@wrp/client';
import { createMock } from '@wrp/mock';
import { expect, test } from 'vitest';

const record = {
  tableId: '9a3c5e70-1b2d-4f48-a6c9-8d7e6f5a4b01',
  recordId: '2f4e6a80-3c5d-4b79-b8e1-1a2b3c4d5e01',
};
const mock = await createMock();
const sent = [];
const client = createClient({
  baseUrl: 'http://mock',
  token: 'any',
  retries: 0,
  async fetch(request) {
    if (request.body) sent.push(await request.clone().text());
    return mock.fetch(request);
  },
});

test('the environment has a window of its own', () => {
  expect(document.createElement('p').tagName).toBe('P');
});

test('the mock in this process responds', async () => {
  const { data, response } = await client.GET('/organizations/workspaces');
  expect([response.status, data[0].name]).toEqual([200, 'Motor claims']);
  let users = 0;
  for await (const { id } of eachUser(client)) if (id) users += 1;
  expect(users).toBe(64);
  mock.faults.add({ status: 503, times: 1 });
  expect((await client.GET('/organizations/users')).error.errors[0].code).toBe('service_unavailable');
  const body = { workflowDefinitionId: 'x' };
  expect((await client.POST('/workflows', { body })).error.errors[0].pointer).toBe('/workflowDefinitionId');
});

test.each([
  ['a File', () => new File(['the bytes ✓'], 'terms.txt', { type: 'text/plain' })],
  ['a Blob', () => new Blob(['the bytes ✓'], { type: 'text/plain' })],
  ['bytes', () => new TextEncoder().encode('the bytes ✓')],
])('%s is uploaded with its bytes, its name and progress', async (_what, source) => {
  const progress = [];
  const options = { name: 'terms.txt', onProgress: ({ loaded }) => progress.push(loaded) };
  expect(await uploadResource(client, source(), options)).toHaveProperty('resourceId');
  expect(await createAttachment(client, record, source(), { ...options, tags: ['a'] })).toHaveProperty('id');
  for (const form of sent.splice(-2)) {
    expect(form).toContain('the bytes ✓');
    expect(form).toContain('filename="terms.txt"');
  }
  expect(progress.at(-1)).toBe(13);
});
