import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { errorMessages } from '../../generated/operations.ts';
import { mockUsers } from '../../scripts/mock/stateful/mock-users.ts';
import { newOrganizationToken } from '../../server/src/domain/organization-token.ts';
import { newApiKey } from '../../server/src/store/credentials.ts';
import { api } from '../support/api.ts';
import { formOf, storedFiles } from '../support/files.ts';
import { boundary, filePart, form, part, textPart } from '../support/hostile/forms.ts';
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
      'a: a is not a parameter of this operation, which has no query parameters',
      'userId: userId is not a valid UUID',
      '/b: b is not a property of this object, which takes firstName, lastName and title',
      '/firstName: firstName must be a string',
    ]);
    const headers = { 'Idempotency-Key': 'two words' };
    expect(await errorsOf(sendJson('POST', '/parameters', '{"parameters":1}', headers))).toEqual([
      400,
      'Idempotency-Key: Idempotency-Key must consist of visible ASCII characters, without spaces',
      '/workflowDefinitionId: workflowDefinitionId is required',
    ]);
  });

  test('of the parameters beside a body that is not JSON, too deep, or missing', async () => {
    const path = '/organizations/users/%zz/profile?a=1';
    const found = [
      'a: a is not a parameter of this operation, which has no query parameters',
      'userId: userId must be percent-encoded UTF-8',
    ];
    const sorted = async (body: string) => (await errorsOf(sendJson('PUT', path, body))).sort();
    const message = 'The body is not valid JSON: unexpected end at line 1, column 5.';
    expect(await sorted('{"a"')).toEqual([400, `: ${message}`, ...found]);
    expect(await sorted('['.repeat(1_000))).toEqual([
      400,
      ': The body is nested more than 200 levels deep.',
      ...found,
    ]);
    expect(await errorsOf(owner.fetch(path, { method: 'PUT' }))).toEqual(
      expect.arrayContaining([400, ': The body is required', ...found]),
    );
  });

  test('of text that cannot be stored, beside the other errors of the body', async () => {
    const body = JSON.stringify({
      workflowDefinitionId: 'x',
      parameters: { a: ['\0', { b: '\ud800' }], 'c\0': 1 },
    }).replace('"c', '"d":1e999,"c');
    expect(await errorsOf(sendJson('POST', '/parameters', body))).toEqual([
      400,
      '/parameters/a/0: parameters.a[0] must not contain NUL (U+0000)',
      '/parameters/a/1/b: parameters.a[1].b must not contain a lone surrogate (U+D800 to U+DFFF)',
      '/parameters/d: parameters.d must be in the range of IEEE 754 doubles',
      '/parameters: parameters must not have a property whose name contains NUL (U+0000)',
      '/workflowDefinitionId: workflowDefinitionId is not a valid UUID',
    ]);
  });

  test('of a form, and stores nothing', async () => {
    const files = await storedFiles(dataDirectory);
    const path = `${attachments}?a=1`;
    const parts = [textPart('surplus', '1'), textPart('tags', 'x'.repeat(65)), textPart('tags', 'ok')];
    const found = [
      '/surplus: surplus is not a field of this form, which takes file and tags',
      '/tags/0: tags[0] must have at most 64 characters',
    ];
    expect(await errorsOf(sendForm(path, filePart(), ...parts))).toEqual([
      400,
      'a: a is not a parameter of this operation, which has no query parameters',
      ...found,
    ]);
    expect(await errorsOf(sendForm(attachments, ...parts))).toEqual(
      expect.arrayContaining([400, '/file: file is required', ...found]),
    );
    expect(await errorsOf(sendForm(attachments, filePart(), textPart('tags', 'a\0b'), ...parts))).toEqual([
      400,
      '/tags: tags must not contain NUL (U+0000)',
      '/surplus: surplus is not a field of this form, which takes file and tags',
    ]);
    expect(await storedFiles(dataDirectory)).toEqual(files);
  });

  test.each([
    ['/resources', 'file'],
    [attachments, 'file and tags'],
  ])('of %s, with the parts that the form takes', async (path, taken) => {
    const message = `fil is not a field of this form, which takes ${taken}. Did you mean \`file\`?`;
    const misnamed = filePart().replace('name="file"', 'name="fil"');
    for (const parts of [[misnamed], [textPart('fil', '1')], [filePart(), textPart('fil', '1')]])
      expect(await errorsOf(sendForm(path, ...parts))).toEqual(
        expect.arrayContaining([400, `/fil: ${message}`]),
      );
  });

  test.each([
    'tags[]',
    'tags[0]',
    'tags[a][b]',
    'tags[',
    '[tags]',
    'tags[99999]',
    '__proto__',
    'x'.repeat(101),
  ])('of a form with a field %s, which libraries make of lists', async (name) => {
    for (const odd of [textPart(name, 'a'), filePart().replace('name="file"', `name="${name}"`)]) {
      const [status, ...errors] = await errorsOf(sendForm(attachments, odd));
      expect([status, errors.join()]).toEqual([
        400,
        expect.stringContaining(' is not a field of this form, which takes file and tags'),
      ]);
    }
  });

  test('of the path and query of an upload, without reading it', async () => {
    const file = formOf(new File(['x'], 'x'), ['']);
    const path = `/tables/x/records/y/attachments?a=1`;
    expect(await errorsOf(owner.fetch(path, { method: 'POST', body: file }))).toEqual([
      400,
      'a: a is not a parameter of this operation, which has no query parameters',
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
  test('about a path that is similar to one of the contract', async () => {
    const message = 'There is no such path. Did you mean `/organizations/users`?';
    for (const path of [
      '/organizations/user',
      '/organizations/users/?size=1',
      '/organizations/user?a=/roles',
      '/docs/organizations/users',
      '/rest/public/api/v1/organizations/users',
    ])
      await expectRefusal(fetch(baseUrl + path), 404, 'path_not_found', { message });
  });

  test('about a query parameter that the operation does not have', async () => {
    expect(await errorsOf(owner.fetch('/organizations/users?limit=1'))).toEqual([
      400,
      'limit: limit is not a parameter of this operation, which takes page and size',
    ]);
  });

  const encoded = 'Do not set Content-Type yourself: the library that encodes the form sets it.';
  test.each([
    ['multipart/form-data', form(filePart()), `The Content-Type has no valid boundary. ${encoded}`],
    [
      'multipart/form-data; boundary=',
      form(filePart()),
      `The Content-Type has no valid boundary. ${encoded}`,
    ],
    [
      'multipart/form-data; boundary=other',
      form(filePart()),
      `The form ends before its last boundary, or has another one. ${encoded}`,
    ],
    [
      `multipart/form-data; boundary=${boundary}`,
      filePart(),
      `The form ends before its last boundary, or has another one. ${encoded}`,
    ],
    [
      `multipart/form-data; boundary=${boundary}`,
      form(part('X: 1', 'x')),
      'A part has no Content-Disposition: form-data.',
    ],
    [
      `multipart/form-data; boundary=${boundary}`,
      form(part('colon', 'x')),
      'A header of a part is malformed.',
    ],
  ])('about a form of the type %s that cannot be read', async (type, body, message) => {
    const sent = owner.fetch('/resources', { method: 'POST', headers: { 'Content-Type': type }, body });
    await expectRefusal(sent, 400, 'multipart_malformed', { message });
  });

  const token = newOrganizationToken();
  const { key, secret } = newApiKey();
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  const withBearer = 'Send an organization token without "Bearer": Authorization: tot_…';
  const alone = 'Send the organization token alone: Authorization: tot_…';
  const mistyped = 'The organization token is mistyped or incomplete: it is tot_ and 38 letters and digits.';
  const isKey = 'This is an API key: exchange it with its secret at POST /auth/authorize.';
  const isSecret = 'This is the secret of an API key: exchange both at POST /auth/authorize.';
  const withoutBearer = 'Send an access token with "Bearer": Authorization: Bearer ey…';
  const unknown = errorMessages.credentials_invalid;
  const ownForm =
    'Send an organization token, which is tot_ and 38 letters and digits, or "Bearer" and an access token.';
  const ofMock = 'This is a token of the mock: it is valid only there, and only while its user is active.';
  test.each([
    ['an organization token with Bearer', `Bearer ${token}`, withBearer],
    ['one that exists', `Bearer ${world.owner.token}`, withBearer],
    ['one with another scheme', `Token ${token}`, alone],
    ['one in quotation marks', `"${token}"`, alone],
    ['one without its end', world.owner.token.slice(0, -1), mistyped],
    ['one with another character', `${token.slice(0, -1)}-`, mistyped],
    ['an API key', key, isKey],
    ['an API key with Bearer', `Bearer ${key}`, isKey],
    ['an API key and its secret', `Basic ${key}:${secret}`, isKey],
    ['a secret', secret, isSecret],
    ['a secret with Bearer', `Bearer ${secret}`, isSecret],
    ['an access token without Bearer', jwt, withoutBearer],
    ['an unknown access token', `Bearer ${jwt}`, unknown],
    ['an unknown organization token', token, unknown],
    ['an access token that was cut', 'Bearer ey', unknown],
    ...Object.entries(mockUsers).map(([name, user]) => [
      `the ${name}'s token of the mock`,
      user.token,
      ofMock,
    ]),
    ['Basic', 'Basic b3duZXI6b3duZXI=', ownForm],
    ['Digest', 'Digest username="owner"', ownForm],
    ['a word', 'hello', ownForm],
    ['a number', '12345', ownForm],
    ['Bearer alone', 'Bearer', ownForm],
    ['Bearer and a word', 'Bearer hello', ownForm],
    ['a token of another product', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc', ownForm],
  ])('about %s in Authorization', async (_case, value, message) => {
    const refused = fetch(`${baseUrl}/organizations/users`, { headers: { Authorization: value } });
    await expectRefusal(refused, 401, 'credentials_invalid', { message });
  });

  const accessToken = new UnsecuredJWT().setAudience('access').encode();
  const refreshToken = new UnsecuredJWT().setAudience('refresh').encode();
  const isToken = 'This is an organization token: send it alone in Authorization, without an exchange.';
  const swapped = {
    key: 'This is the secret of an API key. The key begins with wrpk_.',
    secret: 'This is an API key. Its secret begins with wrps_.',
  };
  test.each<[what: string, body: Record<string, string>, messages: Record<string, string>]>([
    ['a key and a secret that are swapped', { key: secret, secret: key }, swapped],
    ['a key in place of the secret', { key, secret: key }, { secret: swapped.secret }],
    ['an organization token as key', { key: token, secret }, { key: isToken }],
    ['one that exists', { key: world.owner.token, secret }, { key: isToken }],
    ['an unknown key', { key, secret }, { '': unknown }],
    [
      'an access token',
      { refreshToken: accessToken },
      { refreshToken: 'This is an access token: send the refresh token that came with it.' },
    ],
    ['an organization token as refresh token', { refreshToken: token }, { refreshToken: isToken }],
    [
      'an API key as refresh token',
      { refreshToken: key },
      { refreshToken: 'Exchange an API key and its secret at POST /auth/authorize.' },
    ],
    ['an unknown refresh token', { refreshToken }, { '': unknown }],
  ])('about %s in the body', async (_case, body, messages) => {
    const path = 'key' in body ? '/auth/authorize' : '/auth/refresh';
    const errors = Object.entries(messages).map(([field, message]) => `${field && `/${field}`}: ${message}`);
    expect(await errorsOf(sendJson('POST', path, JSON.stringify(body)))).toEqual([401, ...errors]);
  });

  test('about a refresh token in Authorization', async () => {
    const headers = {
      Authorization: `Bearer ${refreshToken.replace('eyJhbGciOiJub25lIn0', 'eyJhbGciOiJIUzI1NiJ9')}c2ln`,
    };
    const message = 'This is a refresh token: exchange it for an access token at POST /auth/refresh.';
    const refused = fetch(`${baseUrl}/organizations/users`, { headers });
    await expectRefusal(refused, 401, 'credentials_invalid', { message });
  });

  test.each([
    [' ', '1, column 2', 'end'],
    ['{', '1, column 2', 'end'],
    ['{"a": "b', '1, column 9', 'end'],
    ['{"a": tru', '1, column 10', 'end'],
    ['{"a": -', '1, column 8', 'end'],
    ['{\n  "a": 1,\n}\n', '3, column 1', 'character'],
    ["{'a': 1}", '1, column 2', 'character'],
    ['{"a": 1} x', '1, column 10', 'character'],
    ['{"a": "b\n"}', '1, column 9', 'character'],
    ['\ufeff{}', '1, column 1', 'character'],
    ['{"a": undefined}', '1, column 7', 'character'],
    [`[${'1,'.repeat(8_000)}]`, '1, column 16002', 'character'],
  ])('about JSON that ends or errs: %j', async (body, place, what) => {
    const message = `The body is not valid JSON: unexpected ${what} at line ${place}.`;
    const at = '/organizations/users/x/profile';
    expect(await errorsOf(sendJson('PUT', at, body))).toContain(`: ${message}`);
  });

  test('about JSON that errs in over 16 KiB, without the place', async () => {
    const body = `[${'1,'.repeat(10_000)}]`;
    const path = '/organizations/users/x/profile';
    expect(await errorsOf(sendJson('PUT', path, body))).toContain(': The body is not valid JSON.');
  });

  test.each([
    ['GET', '/auth/authorize', 'POST'],
    ['DELETE', '/workflows', 'GET, HEAD and POST'],
    ['POST', '/healthz', 'GET and HEAD'],
  ])('about %s %s, whose methods it names', async (method, path, methods) => {
    const message = `The path supports only ${methods}.`;
    await expectRefusal(fetch(baseUrl + path, { method }), 405, 'method_not_allowed', { message });
  });

  test('about the limit of a file', async () => {
    const message = 'The file is larger than 2,000,000 bytes (1.9 MiB).';
    const post = (size: number) =>
      owner.fetch('/resources', { method: 'POST', body: formOf(new File([Buffer.alloc(size)], 'x')) });
    await expectRefusal(post(2_000_001), 413, 'file_too_large', { message });
    await expectRefusal(post(4_000_000), 413, 'file_too_large', { message });
  });
});
