import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../server/contract/index.ts';
import { createOrganizationToken } from '../../../server/src/store/credentials.ts';
import type { DemoTarget } from '../../support/demo.ts';
import { type Received, send } from '../../support/raw-requests.ts';
import { type Example, type Operation, operations, parametersIn } from './contract.ts';
import { type Alteration, alterations, altered, type Fixtures, sequences } from './error-cases.ts';
import { toSend, type ValidRequest, type Values, withToken } from './requests.ts';

/** A request of the contract's examples. */
export interface ExampleRequest extends ValidRequest {
  /** The name of the example of the body. */
  name: string;
  query: string;
}

/**
 * The requests that the examples of an operation make up: one for each example of its body, with the examples of its path
 * and query parameters.
 */
export function exampleRequests(operation: Operation): ExampleRequest[] {
  const named = (place: 'path' | 'query') =>
    parametersIn(operation, place).flatMap(({ name, example }): [string, string][] =>
      example === undefined ? [] : [[name, String(example)]],
    );
  const query = new URLSearchParams(named('query')).toString();
  const bodies: Example[] = operation.body?.examples ?? [{ name: 'without a body', value: undefined }];
  return bodies.map(({ name, value }) => ({
    operation,
    name,
    headers: {},
    fields: value as Values | undefined,
    path: Object.fromEntries(named('path')),
    query: query && `?${query}`,
  }));
}

/**
 * Every operation in an order in which each finds what its examples name: first those that read, then those that create
 * and change in the order of the contract, in which a user is terminated before it is reinstated, and at last those that
 * delete.
 */
export const inOrder: Operation[] = [
  ...operations.filter(({ method }) => method === 'GET'),
  ...operations.filter(({ method }) => !['GET', 'DELETE'].includes(method)),
  ...operations.filter(({ method }) => method === 'DELETE'),
];

/** Whether no single request leads to an error, such as `409 idempotency_key_in_use`. */
export const takesSeveralRequests = (error: string) => error in sequences && !(error in ofDemoAlone);

/** Errors of `sequences` to which one request on the demo leads. */
const ofDemoAlone: Record<string, Alteration> = { '403 sandbox_only': (request) => toSend(request) };

/** Error codes that no request on the demo leads to, with the reason. */
export const notOnTheDemo: Record<string, string> = {
  token_expired: 'an access token has to be five minutes old',
  too_many_attachments: 'a record has to have 10,000 attachments',
  too_many_members: 'a workspace has to have 10,000 members',
  storage_quota_exceeded: 'by default, an organization has no quota',
};

/** The id that the example of an operation's path parameter names. */
function idIn(operationId: OperationId): string {
  const operation = operations.find(({ id }) => id === operationId);
  return String(operation && parametersIn(operation, 'path')[0]?.example);
}

/** The parameters of which the demo has another object than that of the examples. */
const otherObjects = ['userId', 'workflowId'] as const;

/** Whether the demo allows another request of the operation: with another body, or on another object. */
export const hasOther = ({ fields, path }: ExampleRequest) =>
  fields !== undefined || otherObjects.some((name) => name in path);

/** Sends requests to the demo, and leads them to errors. */
export interface DemoRequests {
  /** Sends an example unchanged, but for secrets: those of the examples open nothing. */
  send(request: ExampleRequest, headers?: Record<string, string>): Promise<Received>;
  /** Sends a request that the operation refuses with this status and error code; undefined if no alteration leads to it. */
  refused(request: ExampleRequest, status: number, code: string): Promise<Received> | undefined;
  /** Sends another request, if there `hasOther`, with an Idempotency-Key that was used before. */
  withUsedKey(request: ExampleRequest, key: string): Promise<Received>;
}

/** @param uploadLimit of the platform */
export async function demoRequests(
  { baseUrl, database, demo }: DemoTarget,
  uploadLimit: number,
): Promise<DemoRequests> {
  const idOf = async (email: string) =>
    (
      await database
        .selectFrom('users')
        .select('id')
        .where('email', 'like', `${email}@%`)
        .executeTakeFirstOrThrow()
    ).id;
  const tokenOf = async (email: string) => {
    const owner = { userId: await idOf(email), homeWorkspaceId: demo.workspaceId, name: 'Examples' };
    return (await createOrganizationToken(database, owner, new Date())).token;
  };
  const { id: home } = await database
    .selectFrom('workspaces')
    .select('id')
    .where('name', '=', 'Home claims')
    .executeTakeFirstOrThrow();
  const inHome = (table: 'cases' | 'workspace_roles') =>
    database.selectFrom(table).select('id').where('workspace_id', '=', home).executeTakeFirst();
  const form = '4c3b2a19-8f7e-4d6c-9b5a-4e3d2c1b0a08';
  const parametersId = randomUUID();
  await database
    .insertInto('parameter_sets')
    .values({
      id: parametersId,
      workflow_definition_id: form,
      parameters: '{"claimNumber":12345}',
      created_by: await idOf('astrid.alder'),
    })
    .execute();
  const fixtures: Partial<Fixtures> = {
    owner: { id: await idOf('astrid.alder') },
    outsider: await tokenOf('soren.lindqvist'),
    admin: await tokenOf('tomasz.finch'),
    activeUser: await idOf('soren.lindqvist'),
    caseElsewhere: String((await inHome('cases'))?.id),
    caseWithoutContact: 'c0ffee12-3456-4789-8abc-def012345602',
    unusableForm: { workflowDefinitionId: form, parametersId },
    endedExecution: idIn('getWorkflow'),
    runningExecution: idIn('cancelWorkflow'),
    uploadLimit,
  };
  const [manager, peopleOfficer, roleId] = await Promise.all([
    tokenOf('chloe.dubois-lefevre'),
    idOf('ruta.kazlauskaite'),
    inHome('workspace_roles').then((role) => role?.id),
  ]);
  /** Alterations that need other objects of the demo. */
  const ofDemo: Record<string, Alteration> = {
    ...ofDemoAlone,
    '400 parameters_mismatch': (request, known) => {
      if (request.fields && 'caseId' in request.fields)
        return alterations['400 parameters_mismatch']?.(request, known) as never;
      return toSend({
        ...request,
        fields: { workflowDefinitionId: demo.definitions.http, parameters: { url: 5 } },
      });
    },
    '403 beyond_own_permissions': (request, known) => {
      if (!('workspaceId' in request.path))
        return alterations['403 beyond_own_permissions']?.(request, known) as never;
      const path = { workspaceId: home, userId: peopleOfficer };
      const fields = request.fields && { userId: peopleOfficer, roleId };
      return { ...toSend({ ...request, path, fields }), token: manager };
    },
  };
  /** Objects of the same kind as those of the examples. */
  const others: Record<(typeof otherObjects)[number], string> = {
    userId: fixtures.activeUser as string,
    workflowId: fixtures.endedExecution as string,
  };
  const secrets = async ({ fields = {} }: ExampleRequest): Promise<Values> => {
    if ('secret' in fields) return { key: demo.apiKey, secret: demo.apiSecret };
    if (!('refreshToken' in fields)) return {};
    const body = JSON.stringify({ key: demo.apiKey, secret: demo.apiSecret });
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}/auth/authorize`, { method: 'POST', headers, body });
    return { refreshToken: ((await response.json()) as { refreshToken: string }).refreshToken };
  };
  const transmit = (sent: ReturnType<Alteration>) => {
    const { token = demo.organizationToken, ...request } = sent;
    return send(baseUrl, withToken(request, token || undefined));
  };

  return {
    async send(request, headers = {}) {
      const fields = request.fields && { ...request.fields, ...(await secrets(request)) };
      return transmit(toSend({ ...request, headers, fields }, request.query));
    },
    refused(request, status, code) {
      const alter = ofDemo[`${status} ${code}`] ?? alterations[`${status} ${code}`];
      return alter && transmit(alter(request, fixtures as Fixtures));
    },
    withUsedKey(request, key) {
      const headers = { 'Idempotency-Key': key };
      const other = request.fields
        ? altered(request)
        : { ...request, path: { ...request.path, ...pick(others, Object.keys(request.path)) } };
      return transmit(toSend({ ...other, headers }));
    },
  };
}

function pick(values: Record<string, string>, names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}
