/** The client and its types in openapi-react-query, openapi-msw and Valibot; see `client-types.test-d.ts`. */
import type { Client, components, paths } from '@wrp/client';
import { handler } from '@wrp/client/msw';
import { operations } from '@wrp/client/operations';
import { requests, responses } from '@wrp/client/schemas';
import type createOpenApiClient from 'openapi-fetch';
import { createOpenApiHttp } from 'openapi-msw';
import createQueryClient from 'openapi-react-query';
import * as v from 'valibot';
import { expectTypeOf } from 'vitest';
import type { examples } from '../../client/src/msw-examples.ts';
import type { ExamplesOf, OperationId } from '../../client/src/msw-types.ts';

type Schemas = components['schemas'];
declare const client: Client;
const userId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

export function isAnOpenApiFetchClient() {
  expectTypeOf(client).toExtend<ReturnType<typeof createOpenApiClient<paths>>>();
}

export function useOpenapiReactQuery() {
  const api = createQueryClient(client);
  const users = api.useQuery('get', '/organizations/users', { params: { query: { page: 1 } } });
  expectTypeOf(users.data).toEqualTypeOf<Schemas['UserPage'] | undefined>();
  expectTypeOf(users.error?.errors).toEqualTypeOf<Schemas['ErrorItem'][] | undefined>();
  const terminate = api.useMutation('post', '/organizations/users/{userId}/terminate');
  terminate.mutate({ params: { path: { userId } } });
  // @ts-expect-error
  terminate.mutate({ params: { path: { id: userId } } });
  // @ts-expect-error
  api.useQuery('get', '/organizations/teams');
  // @ts-expect-error
  api.useQuery('get', '/organizations/users/{userId}');
}

export function fitsOpenapiMsw() {
  const http = createOpenApiHttp<paths>({ baseUrl: 'https://api.example.com' });
  http.get('/organizations/users/{userId}', ({ params, response }) => {
    expectTypeOf(params.userId).toEqualTypeOf<string>();
    return response(404).json({ fingerprint: userId, errors: [{ code: 'user_not_found', message: 'No.' }] });
  });
  // @ts-expect-error
  http.get('/organizations/teams', () => undefined);
  // @ts-expect-error
  http.get('/organizations/roles', ({ response }) => response(200).json([{ name: 'king' }]));
}

export function typesMockHandlers(page: Schemas['UserPage'], user: Schemas['User']) {
  handler('listUsers', page);
  handler('listUsers', 401);
  handler('getUser', ({ params }) => (params['userId'] === userId ? user : 404));
  handler('getUser', () => 404);
  handler('getUser', async () => 404);
  handler('getUser', async ({ params }) => (params['userId'] === userId ? user : 404));
  handler('resetUserMfa');
  handler('getUser', 304);
  // @ts-expect-error
  handler('listUsers', { content: [] });
  // @ts-expect-error
  handler('listUsers', 404);
  // @ts-expect-error
  handler('listUsers', 304);
  // @ts-expect-error
  handler('getUser', () => 409);
  // @ts-expect-error
  handler('getUser', async () => 409);
  // @ts-expect-error
  handler('getUser', () => page);
  // @ts-expect-error
  handler('listTeams');
}

/** An operation or a status without an example does not compile. */
export function demandsExamples(all: typeof examples) {
  const { getUser, ...others } = all;
  // @ts-expect-error
  const missing: { readonly [Id in OperationId]: ExamplesOf<Id> } = others;
  const { 404: none, ...statuses } = getUser.responses;
  // @ts-expect-error
  const incomplete: ExamplesOf<'getUser'> = { ...getUser, responses: statuses };
  return [missing, incomplete, none];
}

export async function parsesIntoItsOwnTypes(form: unknown) {
  expectTypeOf(v.parse(responses.getUser, form)).toEqualTypeOf<Schemas['User']>();
  expectTypeOf(v.parse(responses.listWorkspaces, form)).toEqualTypeOf<Schemas['Workspace'][]>();
  expectTypeOf<v.InferInput<typeof requests.createLink>>().toEqualTypeOf<Schemas['LinkRequest']>();
  await operations(client).users.updateProfile(userId, v.parse(requests.updateUserProfile, form));
  const { users } = operations(client);
  expectTypeOf(await users.get(userId)).toExtend<v.InferOutput<typeof responses.getUser>>();
  // @ts-expect-error
  await users.updateProfile(userId, v.parse(requests.createLink, form));
  // @ts-expect-error
  responses.getTeam;
}
