/** What must, and must not, compile against the named methods; see `client-types.test-d.ts`. */
import type { Client, components } from '@wrp/client';
import { operations, type UsersOperations, users } from '@wrp/client/operations';
import { expectTypeOf } from 'vitest';

type Schemas = components['schemas'];
declare const client: Client;
const ops = operations(client);
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

export async function returnsTypedData() {
  expectTypeOf(await ops.users.reinstate(userId, { roleId: userId })).toEqualTypeOf<Schemas['User']>();
  expectTypeOf(await ops.users.resetMfa(userId)).toEqualTypeOf<undefined>();
  expectTypeOf(users(client)).toEqualTypeOf<UsersOperations>();
  const { data, headers, requestId } = await ops.workflows.get(userId).withResponse();
  expectTypeOf(data).toEqualTypeOf<Schemas['WorkflowExecution']>();
  expectTypeOf(headers).toEqualTypeOf<Headers>();
  expectTypeOf(requestId).toEqualTypeOf<string | undefined>();
}

export async function takesPathParametersThenTheBodyThenOptions() {
  await ops.memberships.set(userId, userId, { userId, roleId: userId });
  const choice: Readonly<{ roleId: string }> = { roleId: userId };
  await ops.users.changeRole(userId, choice, { headers: { 'If-Match': '"1"' }, timeout: 1_000 });
  await ops.users.terminate(userId, { idempotencyKey: 'key', signal: AbortSignal.abort() });
  // @ts-expect-error
  ops.users.reinstate({ roleId: userId });
  // @ts-expect-error
  ops.users.reinstate(userId);
  // @ts-expect-error
  ops.users.reinstate(userId, { role: userId });
  // @ts-expect-error
  ops.users.get(5);
  // @ts-expect-error
  ops.users.get(userId, { idempotencyKey: 'key' });
  // @ts-expect-error
  ops.users.get(userId, { timeOut: 5 });
  // @ts-expect-error
  ops.users.promote(userId);
  // @ts-expect-error
  ops.teams;
}

export async function iteratesOverLists() {
  for await (const user of ops.users.list({ query: { size: 50 } }))
    expectTypeOf(user).toEqualTypeOf<Schemas['User']>();
  expectTypeOf(await ops.users.list()).toEqualTypeOf<Schemas['UserPage']>();
  for await (const role of ops.organization.listRoles())
    expectTypeOf(role).toEqualTypeOf<Schemas['OrganizationRole']>();
  for await (const membership of ops.memberships.list(userId))
    expectTypeOf(membership).toEqualTypeOf<Schemas['Membership'] | Schemas['InheritedMembership']>();
  // @ts-expect-error
  ops.users.list({ query: { pageSize: 50 } });
  // @ts-expect-error
  for await (const user of ops.users.get(userId)) void user;
}

export async function readsDownloads() {
  expectTypeOf(await ops.resources.download(userId)).toEqualTypeOf<Response['body']>();
  expectTypeOf(await ops.resources.download(userId, { parseAs: 'blob' })).toEqualTypeOf<Blob>();
  expectTypeOf(await ops.webhooks.getKey(userId)).toEqualTypeOf<string>();
  // @ts-expect-error
  ops.resources.download(userId, { parseAs: 'json' });
}

export async function takesFiles(file: File) {
  const attachment = await ops.attachments.create(userId, userId, { file, tags: ['note'] as const });
  expectTypeOf(attachment).toEqualTypeOf<Schemas['Attachment']>();
}
