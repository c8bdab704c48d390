/**
 * What must, and must not, compile against the client. Checked by `tsc -p test`: nothing here ever runs, and a
 * `@ts-expect-error` without an error is an error.
 */
import { ApiError, type Client, type components, createClient, type ErrorCode, unwrap } from '@wrp/client';
import { expectTypeOf } from 'vitest';

type Schemas = components['schemas'];
declare const client: Client;
declare const file: File;
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const tableId = userId;
const recordId = userId;

export async function narrowsDataAndError() {
  const answer = await client.GET('/organizations/users/{userId}', { params: { path: { userId } } });
  if (answer.error) {
    expectTypeOf(answer.error.errors).toEqualTypeOf<Schemas['ErrorItem'][]>();
    expectTypeOf(answer.data).toEqualTypeOf<undefined>();
  } else {
    expectTypeOf(answer.data.profile.status).toEqualTypeOf<'ACTIVE' | 'TERMINATED'>();
    expectTypeOf(answer.data.profile.lastSignedInAt).toEqualTypeOf<string | null>();
  }
  // Neither is there before the answer was looked at.
  // @ts-expect-error
  answer.data.id;
  // @ts-expect-error
  answer.error.fingerprint;
}

export async function narrowsDestructuredAnswers() {
  const { data, error } = await client.GET('/organizations/users', {});
  if (error) return error.fingerprint;
  return data.content[0]?.email;
}

export async function knowsErrorCodes() {
  const { error } = await client.POST('/organizations/users/{userId}/terminate', {
    params: { path: { userId } },
  });
  if (!error) return;
  for (const { code } of error.errors) {
    expectTypeOf(code).toEqualTypeOf<ErrorCode>();
    // @ts-expect-error
    if (code === 'user_on_holiday') return;
  }
}

export async function givesTheBodyOfTheOneSuccess() {
  const users = await unwrap(client.GET('/organizations/users', {}));
  expectTypeOf(users.totalElements).toEqualTypeOf<number>();
  const roles = await unwrap(client.GET('/organizations/roles', {}));
  expectTypeOf(roles[0]?.name).toEqualTypeOf<'owner' | 'admin' | 'member' | undefined>();
  const execution = await unwrap(
    client.GET('/workflows/{workflowId}', { params: { path: { workflowId: userId } } }),
  );
  expectTypeOf(execution.status).toEqualTypeOf<Schemas['ExecutionStatus']>();
}

export async function givesNothingWhereThereIsNoBody() {
  const reset = client.POST('/organizations/users/{userId}/reset-mfa', { params: { path: { userId } } });
  expectTypeOf(await unwrap(reset)).toEqualTypeOf<undefined>();
}

export function refusesUnknownPathsAndMethods() {
  // @ts-expect-error
  client.GET('/organizations/teams', {});
  // @ts-expect-error
  client.DELETE('/organizations/users/{userId}', { params: { path: { userId } } });
}

export function refusesMissingAndMistypedPathParameters() {
  // @ts-expect-error
  client.GET('/organizations/users/{userId}');
  // @ts-expect-error
  client.GET('/organizations/users/{userId}', { params: { path: { id: userId } } });
  // @ts-expect-error
  client.GET('/organizations/users/{userId}', { params: { path: { userId: 5 } } });
}

export function typesQueryParameters() {
  client.GET('/organizations/users');
  client.GET('/organizations/users', { params: { query: { page: 2, size: 50 } } });
  // @ts-expect-error
  client.GET('/organizations/users', { params: { query: { page: '2' } } });
  // @ts-expect-error
  client.GET('/organizations/users', { params: { query: { pageSize: 2 } } });
}

export function refusesWrongBodies() {
  const path = { userId };
  const role = '/organizations/users/{userId}/role';
  client.PUT(role, { params: { path }, body: { roleId: userId } });
  // @ts-expect-error
  client.PUT(role, { params: { path } });
  // @ts-expect-error
  client.PUT(role, { params: { path }, body: {} });
  // @ts-expect-error
  client.PUT(role, { params: { path }, body: { roleId: 7 } });
  // @ts-expect-error
  client.GET('/organizations/users', { body: { roleId: userId } });
}

export function takesIdempotencyKeysOnPostOnly() {
  const header = { 'Idempotency-Key': userId };
  client.POST('/organizations/users/{userId}/terminate', { params: { path: { userId }, header } });
  // @ts-expect-error
  client.GET('/organizations/users/{userId}', { params: { path: { userId }, header } });
}

export function takesFilesAsBodies() {
  const attachments = '/tables/{tableId}/records/{recordId}/attachments';
  const params = { path: { tableId, recordId } };
  client.POST(attachments, { params, body: { file, tags: ['signed', 'final'] } });
  client.POST(attachments, { params, body: { file: new Blob(['text']) } });
  client.POST('/resources', { body: { file } });
  // @ts-expect-error
  client.POST('/resources', { body: {} });
  // @ts-expect-error
  client.POST('/resources', { body: { file: 'the text of the file' } });
  // @ts-expect-error
  client.POST(attachments, { params, body: { file, tags: 'signed' } });
  // @ts-expect-error
  client.POST(attachments, { params, body: { file, tags: [1] } });
}

export async function givesDownloadsAsBlobOrStream() {
  const params = { path: { resourceId: userId } };
  const stream = await unwrap(client.GET('/resources/{resourceId}', { params, parseAs: 'stream' }));
  expectTypeOf(stream).toEqualTypeOf<Response['body']>();
  const blob = await unwrap(client.GET('/resources/{resourceId}', { params, parseAs: 'blob' }));
  expectTypeOf(blob).toEqualTypeOf<Blob>();
}

export function takesBothKindsOfToken() {
  const baseUrl = 'https://api.example.com';
  createClient({ baseUrl });
  createClient({ baseUrl, token: 'tot_…' });
  createClient({ baseUrl, token: { accessToken: 'ey…' } });
  createClient({ baseUrl, token: async () => ({ accessToken: 'ey…' }) });
  createClient({ baseUrl, fetch });
  // @ts-expect-error
  createClient({ token: 'tot_…' });
  // @ts-expect-error
  createClient({ baseUrl, token: { refreshToken: 'ey…' } });
}

export function describesErrors(error: unknown) {
  if (!(error instanceof ApiError)) return;
  expectTypeOf(error.status).toEqualTypeOf<number>();
  expectTypeOf(error.code).toEqualTypeOf<ErrorCode | undefined>();
  // @ts-expect-error
  if (error.code === 'user_on_holiday') return;
  // @ts-expect-error
  error.errors.push({ code: 'own_user', message: '' });
}

/** Faults of openapi-fetch 0.17.0 that callers meet. When one of these lines fails, the fault is gone. */
export async function knownFaults() {
  const tags = ['signed'] as const;
  const params = { path: { tableId, recordId } };
  const attachments = '/tables/{tableId}/records/{recordId}/attachments';
  // A readonly array is refused: copy it, as in `[...tags]`.
  // @ts-expect-error
  client.POST(attachments, { params, body: { file, tags } });
  client.POST(attachments, { params, body: { file, tags: [...tags] } });
  // The status of the response does not narrow what the data or the error is.
  const answer = await client.GET('/organizations/users', {});
  // @ts-expect-error
  if (answer.response.status === 200) answer.data.content;
  // Mapped by property, a Blob loses its methods: without `parseAs`, a download is not even a Blob by type.
  const { data } = await client.GET('/resources/{resourceId}', { params: { path: { resourceId: userId } } });
  // @ts-expect-error
  data?.text();
  // A field that the contract does not have is taken; the platform answers 400.
  client.PUT('/organizations/users/{userId}/role', {
    params: { path: { userId } },
    body: { roleId: userId, reason: 'promotion' },
  });
  // An option that there is not is taken for one of fetch's.
  client.GET('/organizations/users', { parms: { query: { page: 2 } } });
}
