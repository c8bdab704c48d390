/**
 * What must, and must not, compile against the client. Checked with the types of `npm run check`: nothing here ever runs, and a
 * `@ts-expect-error` without an error is an error.
 */
import {
  ApiError,
  apiKey,
  type Client,
  ConflictError,
  type components,
  createAttachment,
  createClient,
  type ErrorCode,
  ExecutionEndedError,
  eachItem,
  eachUser,
  fromPath,
  type ListPath,
  TooManyRequestsError,
  type User,
  unwrap,
  uploadResource,
  type WebhookEvent,
  WebhookVerificationError,
  waitForResult,
} from '@wrp/client';
import type { Operations } from '@wrp/client/operations';
import { expectTypeOf } from 'vitest';

type Schemas = components['schemas'];
declare const client: Client;
declare const file: File;
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';
const tableId = userId;
const recordId = userId;

export async function narrowsDataAndError() {
  const response = await client.GET('/organizations/users/{userId}', { params: { path: { userId } } });
  if (response.error) {
    expectTypeOf(response.error.errors).toEqualTypeOf<Schemas['ErrorItem'][]>();
    expectTypeOf(response.data).toEqualTypeOf<undefined>();
  } else {
    expectTypeOf(response.data.profile.status).toEqualTypeOf<'ACTIVE' | 'TERMINATED'>();
    expectTypeOf(response.data.profile.lastSignedInAt).toEqualTypeOf<string | null>();
  }
  // Neither is available before the response is checked.
  // @ts-expect-error
  response.data.id;
  // @ts-expect-error
  response.error.fingerprint;
}

export async function narrowsDestructuredResults() {
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
  createClient({ baseUrl, token: apiKey({ key: 'key', secret: 'secret' }) });
  createClient({ baseUrl, fetch });
  // @ts-expect-error
  apiKey({ key: 'key' });
  // The URL and the token have defaults from the environment; null is no token.
  createClient();
  createClient({ token: 'tot_…', logger: console, logLevel: 'debug' });
  createClient({ baseUrl, token: null });
  // @ts-expect-error
  createClient({ logLevel: 'verbose' });
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

export async function namesSchemas(user: User) {
  expectTypeOf<User>().toEqualTypeOf<Schemas['User']>();
  expectTypeOf(await unwrap(client.GET('/organizations/users')))
    .toHaveProperty('content')
    .items.toEqualTypeOf<User>();
  // An interface would not be assignable.
  const record: Record<string, unknown> = user;
  return record;
}

/** A function of the caller's own, whose path is a type parameter. */
export function takesGenericPaths<Path extends '/organizations/users' | '/organizations/roles'>(path: Path) {
  return client.GET(path, ...([] as never));
}

/** Where openapi-fetch 0.17.0 alone would accept a mistake or refuse valid code. */
export async function isStricterAndWiderThanOpenapiFetch() {
  const params = { path: { tableId, recordId } };
  const attachments = '/tables/{tableId}/records/{recordId}/attachments';
  const tags = ['signed'] as const;
  client.POST(attachments, { params, body: { file, tags } });
  const choice: Readonly<{ roleId: string }> = { roleId: userId };
  client.PUT('/organizations/users/{userId}/role', { params: { path: { userId } }, body: choice });
  const role = '/organizations/users/{userId}/role';
  // @ts-expect-error
  client.PUT(role, { params: { path: { userId } }, body: { roleId: userId, reason: 'promotion' } });
  // @ts-expect-error
  client.GET('/organizations/users', { parms: { query: { page: 2 } } });
  // @ts-expect-error
  client.GET('/organizations/users', { retires: 1 });
  // @ts-expect-error
  client.GET('/organizations/users', { timeout: '1 s' });
  client.GET('/organizations/users', { timeout: 1_000, attemptTimeout: 500, retries: 1 });
}

export async function asksForWhatIsNotJsonAsWhatItIs() {
  const path = { resourceId: userId, keyId: userId };
  // @ts-expect-error
  client.GET('/resources/{resourceId}', { params: { path: { resourceId: userId } } });
  // @ts-expect-error
  client.GET('/resources/{resourceId}', { params: { path: { resourceId: userId } }, parseAs: 'json' });
  // @ts-expect-error
  client.GET('/auth/webhooks/key/{keyId}', { params: { path: { keyId: path.keyId } } });
  const pem = client.GET('/auth/webhooks/key/{keyId}', {
    params: { path: { keyId: userId } },
    parseAs: 'text',
  });
  expectTypeOf(await unwrap(pem)).toEqualTypeOf<string>();
  const bytes = client.GET('/organizations/roles', { parseAs: 'arrayBuffer' });
  expectTypeOf(await unwrap(bytes)).toEqualTypeOf<ArrayBuffer>();
}

export async function tellsAResultFromARedirectByItsFieldsAtMost() {
  const params = { path: { workflowId: userId } };
  const result = await unwrap(client.GET('/workflows/{workflowId}/result', { params }));
  expectTypeOf(result).toEqualTypeOf<Schemas['WorkflowResult'] | Schemas['ResultRedirect']>();
  expectTypeOf(await waitForResult(client, userId)).toEqualTypeOf<Schemas['WorkflowResult']>();
  expectTypeOf(await waitForResult<{ paid: boolean }>(client, userId)).toEqualTypeOf<{ paid: boolean }>();
}

/** What `for await` yields of each named method that is a list. */
type Yielded = {
  [Group in keyof Operations]: {
    [Name in keyof Operations[Group]]: Operations[Group][Name] extends (
      ...values: never[]
    ) => AsyncIterable<infer Item>
      ? Item
      : never;
  }[keyof Operations[Group]];
};

export async function iteratesNamedLists(named: Operations) {
  expectTypeOf<Extract<Yielded[keyof Yielded], undefined>>().toBeNever();
  expectTypeOf<Yielded['workflows']>().toEqualTypeOf<Schemas['WorkflowExecutionSummary']>();
  expectTypeOf<Yielded['history']>().toEqualTypeOf<Schemas['WorkflowHistoryEntry']>();
  for await (const { id, createdDateTime } of named.workflows.list())
    expectTypeOf(id).toEqualTypeOf(createdDateTime);
}

export async function iteratesTypedLists() {
  for await (const user of eachItem(client, '/organizations/users'))
    expectTypeOf(user).toEqualTypeOf<Schemas['User']>();
  const query = { status: 'FAILED', size: 10 } as const;
  const signal = AbortSignal.timeout(1);
  for await (const execution of eachItem(client, '/workflows', { params: { query }, signal }))
    expectTypeOf(execution).toEqualTypeOf<Schemas['WorkflowExecutionSummary']>();
  for await (const record of eachItem(client, '/tables/{tableId}/records', { params: { path: { tableId } } }))
    expectTypeOf(record).toEqualTypeOf<Schemas['TableRecord']>();
  expectTypeOf<'/organizations/users' | '/tables/{tableId}/records' | '/workflows'>().toExtend<ListPath>();
  expectTypeOf<'/organizations/roles'>().not.toExtend<ListPath>();
  // @ts-expect-error
  eachItem(client, '/tables/{tableId}/records');
  // @ts-expect-error
  eachItem(client, '/workflows', { params: { query: { state: 'FAILED' } } });
  // @ts-expect-error
  eachItem(client, '/workflows', { sise: 10 });
  // @ts-expect-error
  eachItem(client, '/organizations/roles');
}

export async function iteratesTypedUsers() {
  for await (const user of eachUser(client, { size: 50 }))
    expectTypeOf(user).toEqualTypeOf<Schemas['User']>();
  // @ts-expect-error
  eachUser(client, { pageSize: 50 });
}

export async function takesAnyKindOfFile(
  stream: ReadableStream<Uint8Array>,
  lines: AsyncIterable<Uint8Array>,
) {
  const onProgress = ({ loaded, total }: { loaded: number; total?: number }) => void (loaded + (total ?? 0));
  expectTypeOf(await uploadResource(client, file)).toEqualTypeOf<Schemas['Resource']>();
  uploadResource(client, await fromPath('report.pdf', { type: 'application/pdf' }), { onProgress });
  uploadResource(client, new Uint8Array(3), { name: 'three', type: 'text/plain' });
  uploadResource(client, new ArrayBuffer(3));
  uploadResource(client, stream, { size: 3 });
  uploadResource(client, lines);
  uploadResource(client, () => lines);
  const attached = await createAttachment(client, { tableId, recordId }, file, { tags: ['photo'] as const });
  expectTypeOf(attached).toEqualTypeOf<Schemas['Attachment']>();
  // A string would be a path to some and a content to others.
  // @ts-expect-error
  uploadResource(client, 'report.pdf');
  // @ts-expect-error
  createAttachment(client, { tableId }, file);
}

export function narrowsEvents(event: WebhookEvent) {
  if (event.type === 'user.role_changed') expectTypeOf(event.data.roleId).toEqualTypeOf<string>();
  // @ts-expect-error
  if (event.type === 'user.promoted') return;
  // @ts-expect-error
  event.data.roleId;
}

export function narrowsErrors(error: unknown) {
  if (error instanceof ConflictError) expectTypeOf(error.code).toEqualTypeOf<ErrorCode | undefined>();
  if (error instanceof TooManyRequestsError)
    expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>();
  if (error instanceof ExecutionEndedError) {
    expectTypeOf(error.status).toEqualTypeOf<'FAILED' | 'CANCELLED' | 'EXPIRED'>();
    expectTypeOf(error.execution).toEqualTypeOf<Schemas['WorkflowExecution']>();
  }
  if (error instanceof WebhookVerificationError) {
    // @ts-expect-error
    if (error.reason === 'bad day') return;
  }
}

/** A bug of openapi-fetch 0.17.0 that callers meet. When the line does not fail, the bug is fixed. */
export async function knownError() {
  // The status of the response does not narrow what the data or the error is.
  const response = await client.GET('/organizations/users', {});
  // @ts-expect-error
  if (response.response.status === 200) response.data.content;
}
