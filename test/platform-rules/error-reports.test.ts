import { describe, expect, test } from 'vitest';
import { api } from '../support/api.ts';
import { formOf, storedFiles } from '../support/files.ts';
import { boundary, filePart, form, textPart } from '../support/hostile/forms.ts';
import { expectRefusal, responseOf } from '../support/responses.ts';

const { owner, world, baseUrl, dataDirectory } = await api({ uploadLimit: 2_000_000 });
const { workflowDefinition, table, record } = world;
const attachments = `/tables/${table.id}/records/${record.id}/attachments`;

interface ErrorEntry {
  code: string;
  message: string;
  pointer?: string;
  parameter?: string;
}

/** The status of a response, and its errors as `place: message`. */
async function errorsOf(response: Promise<Response>) {
  const { status, body } = await responseOf(response);
  const errors = (body as { errors: ErrorEntry[] }).errors;
  return [
    status,
    ...errors.map(({ message, pointer, parameter }) => `${parameter ?? pointer ?? ''}: ${message}`),
  ];
}

const sendJson = (method: string, path: string, body: string, headers: Record<string, string> = {}) =>
  owner.fetch(path, { method, headers: { 'Content-Type': 'application/json', ...headers }, body });
const sendForm = (path: string, ...parts: string[]) =>
  owner.fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: form(...parts),
  });

describe('one 400 reports every error', () => {
  test('of path, query, header and body', async () => {
    const path = '/organizations/users/someone/profile?a=1';
    expect(await errorsOf(sendJson('PUT', path, '{"firstName":5,"lastName":"x","title":"","b":1}'))).toEqual([
      400,
      'a: a is not a parameter of this operation',
      'userId: userId is not a valid UUID',
      '/b: must not have the property "b"',
      '/firstName: must be string',
    ]);
    const headers = { 'Idempotency-Key': 'two words' };
    expect(await errorsOf(sendJson('POST', '/parameters', '{"parameters":1}', headers))).toEqual([
      400,
      'idempotency-key: idempotency-key must match pattern "^[\\x21-\\x7e]+$"',
      "/workflowDefinitionId: must have required property 'workflowDefinitionId'",
    ]);
  });

  test('of the parameters beside a body that is not JSON, too deep, or missing', async () => {
    const path = '/organizations/users/%zz/profile?a=1';
    const found = [
      'a: a is not a parameter of this operation',
      'userId: userId must be percent-encoded UTF-8',
    ];
    const sorted = async (body: string) => (await errorsOf(sendJson('PUT', path, body))).sort();
    expect(await sorted('{"a"')).toEqual([400, ': The body is not valid JSON.', ...found]);
    expect(await sorted('['.repeat(1_000))).toEqual([
      400,
      ': The body is nested more than 200 levels deep.',
      ...found,
    ]);
    expect(await errorsOf(owner.fetch(path, { method: 'PUT' }))).toEqual(
      expect.arrayContaining([400, ': A body is required.', ...found]),
    );
  });

  test('of text that cannot be stored, beside the other errors of the body', async () => {
    const body = JSON.stringify({
      workflowDefinitionId: 'x',
      parameters: { a: ['\0', { b: '\ud800' }], 'c\0': 1 },
    }).replace('"c', '"d":1e999,"c');
    expect(await errorsOf(sendJson('POST', '/parameters', body))).toEqual([
      400,
      '/parameters/a/0: must not contain NUL (U+0000)',
      '/parameters/a/1/b: must not contain a lone surrogate (U+D800 to U+DFFF)',
      '/parameters/d: must be in the range of IEEE 754 doubles',
      '/parameters: must not have a property whose name contains NUL (U+0000)',
      '/workflowDefinitionId: is not a valid UUID',
    ]);
  });

  test('of a form, and stores nothing', async () => {
    const files = await storedFiles(dataDirectory);
    const path = `${attachments}?a=1`;
    const parts = [textPart('surplus', '1'), textPart('tags', 'x'.repeat(65)), textPart('tags', 'ok')];
    const found = [
      '/surplus: There is no such field. The form takes file and tags.',
      '/tags/0: must NOT have more than 64 characters',
    ];
    expect(await errorsOf(sendForm(path, filePart(), ...parts))).toEqual([
      400,
      'a: a is not a parameter of this operation',
      ...found,
    ]);
    expect(await errorsOf(sendForm(attachments, ...parts))).toEqual(
      expect.arrayContaining([400, '/file: The file is missing.', ...found]),
    );
    expect(await errorsOf(sendForm(attachments, filePart(), textPart('tags', 'a\0b'), ...parts))).toEqual([
      400,
      '/tags: must not contain NUL (U+0000)',
      '/surplus: There is no such field. The form takes file and tags.',
    ]);
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test.each([
    ['/resources', 'file'],
    [attachments, 'file and tags'],
  ])('of %s, with the parts that the form takes', async (path, taken) => {
    const message = `There is no such field. The form takes ${taken}.`;
    const misnamed = filePart().replace('name="file"', 'name="fil"');
    for (const parts of [[misnamed], [textPart('fil', '1')], [filePart(), textPart('fil', '1')]])
      expect(await errorsOf(sendForm(path, ...parts))).toEqual(
        expect.arrayContaining([400, `/fil: ${message}`]),
      );
  });

  test('of the path and query of an upload, without reading it', async () => {
    const file = formOf(new File(['x'], 'x'), ['']);
    const path = `/tables/x/records/y/attachments?a=1`;
    expect(await errorsOf(owner.fetch(path, { method: 'POST', body: file }))).toEqual([
      400,
      'a: a is not a parameter of this operation',
      'tableId: tableId is not a valid UUID',
      'recordId: recordId is not a valid UUID',
    ]);
  });

  test('up to 20 of them', async () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`p${at}`, '\0'])),
    );
    const parameters = `{"workflowDefinitionId":"${workflowDefinition.id}","parameters":${body}}`;
    for (const sent of [body, parameters])
      expect(await errorsOf(sendJson('POST', '/parameters', sent))).toHaveLength(21);
  });

  test('and a wrong media type or size of the body only if the path is valid', async () => {
    const large = `"${'x'.repeat(1 << 20)}"`;
    const { id } = world.member;
    expect(await errorsOf(sendJson('PUT', `/organizations/users/${id}/profile?a=1`, large))).toEqual([
      413,
      ': The body is larger than 1,048,576 bytes (1 MiB).',
    ]);
    const headers = { 'Content-Type': 'text/plain' };
    expect(await errorsOf(sendJson('PUT', '/organizations/users/x/profile', '{}', headers))).toEqual([
      400,
      'userId: userId is not a valid UUID',
    ]);
  });
});

describe('a message says what to do', () => {
  test('about an organization token sent with Bearer', async () => {
    const headers = { Authorization: `Bearer ${world.owner.token}` };
    const message = 'Send an organization token without "Bearer": Authorization: tot_…';
    const refused = fetch(`${baseUrl}/organizations/users`, { headers });
    await expectRefusal(refused, 401, 'credentials_invalid', { message });
  });

  test('about the limit of a file', async () => {
    const message = 'The file is larger than 2,000,000 bytes (1.9 MiB).';
    const post = (size: number) =>
      owner.fetch('/resources', { method: 'POST', body: formOf(new File([Buffer.alloc(size)], 'x')) });
    await expectRefusal(post(2_000_001), 413, 'file_too_large', { message });
    await expectRefusal(post(4_000_000), 413, 'file_too_large', { message });
  });
});
