import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../../server/contract/index.ts';
import { isUuid } from '../../../server/src/domain/identifiers.ts';
import type { Api } from '../../support/api.ts';
import { boundary, filePart, form, textPart } from '../../support/hostile/forms.ts';
import { type Received, type Sent, send } from '../../support/raw-requests.ts';
import { isForm, type Operation, operations, parametersIn, schemaError } from './contract.ts';
import { codesOf } from './refusals.ts';
import { workflowsOf } from './workflows.ts';

export type Values = Record<string, unknown>;

/** A request that succeeds, in parts, so that a sweep can break one of them. */
export interface ValidRequest {
  operation: Operation;
  path: Record<string, string>;
  headers: Record<string, string>;
  /** The fields of the body; undefined if the operation takes none. A file is a string here. */
  fields: Values | undefined;
}

export interface Requests {
  /** A request on objects of its own, so that requests do not interfere. */
  valid(operation: Operation): Promise<ValidRequest>;
  /** Sends a request. @param token default: that of the organization's owner */
  send(request: Sent, token?: string): Promise<Received>;
}

/** Builds valid requests for every operation, from the contract's examples and the platform's world. */
export function requestsOf(api: Api): Requests {
  const { given, world, owner } = api;
  const workflows = workflowsOf(api);

  const call = async (id: OperationId) => {
    const operation = operations.find((one) => one.id === id) as Operation;
    // A token of its own, so that no rate limit is reached.
    const token = await given.token({ user: world.owner, homeWorkspace: world.workspace });
    const response = await send(api.baseUrl, withToken(toSend(await valid(operation)), token));
    assertAccepted(operation, response);
    return JSON.parse(response.text) as Record<string, string>;
  };
  const makeUser = async (operation: OperationId) => {
    if (operation === 'reinstateUser') return (await given.terminatedUser(world.organization)).id;
    const user = await given.user({ organization: world.organization });
    if (operation === 'removeMembership')
      await given.membership({ workspace: world.workspace, user, role: 'viewer' });
    return user.id;
  };

  /**
   * What a path parameter or a field of a body names in this world. What is not here is created by the operation that
   * creates it.
   */
  const objects: Record<string, (operation: OperationId) => string | Promise<string>> = {
    userId: makeUser,
    workspaceId: () => world.workspace.id,
    tableId: () => world.table.id,
    recordId: () => world.record.id,
    workflowDefinitionId: workflows.definitionId,
    workflowId: (id) =>
      id === 'getWorkflowResult' ? workflows.executionWithResult() : workflows.runningExecution(),
    caseId: workflows.caseWithContact,
    keyId: workflows.webhookKey,
    // Anyone with the permission may grant it.
    roleId: (id) => (id === 'setMembership' ? world.workspace.roles.editor : world.organization.roles.member),
    refreshToken: async () => named('refreshToken', await call('exchangeApiKey')),
  };

  async function objectOf(name: string, operation: Operation): Promise<string> {
    const make = objects[name];
    if (make) return make(operation.id);
    const creation = creationOf(name);
    if (!creation) {
      throw new Error(
        `${operation.id} names an object ${name}, which no operation creates (a POST of its resource that responds ` +
          'with 201). Add it to `objects` in test/sweeps/support/requests.ts.',
      );
    }
    return named(name, await call(creation.id));
  }

  async function valid(operation: Operation): Promise<ValidRequest> {
    const path: Record<string, string> = {};
    for (const { name } of parametersIn(operation, 'path')) path[name] = await objectOf(name, operation);
    return { operation, path, headers: {}, fields: operation.body && (await fieldsOf(operation, path)) };
  }

  async function fieldsOf(operation: Operation, path: Record<string, string>): Promise<Values> {
    const [example] = operation.body?.examples ?? [];
    if (!example) throw new Error(`Give ${operation.id} an example of its request in spec/examples.`);
    const fields: Values = { ...(example.value as Values) };
    if ('secret' in fields) {
      const user = await given.user({ organization: world.organization });
      return { ...fields, ...(await given.apiKey({ user, homeWorkspace: world.workspace })) };
    }
    for (const name of Object.keys(fields).filter(isIdentifier))
      fields[name] = path[name] ?? (await objectOf(name, operation));
    return distinct(operation, fields);
  }

  return { valid, send: (request, token = owner.token) => send(api.baseUrl, withToken(request, token)) };
}

const isIdentifier = (name: string) => /Id$|^refreshToken$/.test(name);

/** What a response calls an object. */
function named(name: string, created: Record<string, string>): string {
  const value = created[name] ?? created['id'];
  if (value === undefined)
    throw new Error(
      `The response to a request for an object has neither ${name} nor id, only ${Object.keys(created)}. Add ${name} ` +
        'to `objects` in test/sweeps/support/requests.ts.',
    );
  return value;
}

/** Why a valid request was refused, and what to do about it; undefined if it was accepted. */
export function acceptanceError(operation: Operation, response: Received): string | undefined {
  const { status, text } = response;
  if (status < 400) return undefined;
  const { id, resource } = operation;
  const refused = `${id} refused a request of this sweep that is meant to be valid: ${status} ${codesOf(response)}`;
  const inRequests = 'in `fieldsOf` of test/sweeps/support/requests.ts, as `valid` takes its body from there';
  if (status === 409)
    return (
      `${refused}. Sweeps send the example of ${id} many times. If it conflicts with an earlier one, give it distinct ` +
      `values ${inRequests}: ${text}`
    );
  return (
    `${refused}. If its example is wrong, fix it in spec/examples/${resource}.yaml; if it needs other values or objects ` +
    `in the tests, give it these ${inRequests}; otherwise look at server/src/handlers/${resource}.ts: ${text}`
  );
}

/** @throws an `acceptanceError` */
export function assertAccepted(operation: Operation, response: Received): void {
  const problem = acceptanceError(operation, response);
  if (problem) throw new Error(problem);
}

let numbered = 0;

/**
 * The same fields, with a number in each text whose schema allows it, if the contract documents a conflict of its own
 * for the operation, for example that a name is taken. Enums, identifiers and files stay as they are.
 */
export function distinct(operation: Operation, fields: Values): Values {
  const { body, responses } = operation;
  const conflicts = (responses.get(409)?.codes ?? []).filter((code) => !code.startsWith('idempotency_'));
  if (!body || conflicts.length === 0) return fields;
  numbered++;
  const varied = (name: string, value: unknown) => {
    if (typeof value !== 'string' || isUuid(value) || isIdentifier(name) || name === 'file') return value;
    const allowed = numberedTexts(value).find(
      (text) => !schemaError(body.schema, { ...fields, [name]: text }),
    );
    return allowed ?? value;
  };
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, varied(name, value)]));
}

/** The last one has the length of the text. */
function numberedTexts(text: string): string[] {
  const end = String(numbered);
  return [`${text} ${end}`, `${text}-${end}`, `${end}${text}`, `${text.slice(0, -end.length)}${end}`];
}

/** The operation that creates the object: the POST of its resource that responds with 201. */
function creationOf(name: string): Operation | undefined {
  const owner = operations.find(({ template }) => template.endsWith(`/{${name}}`));
  return operations.find(
    ({ resource, method, responses }) =>
      resource === owner?.resource && method === 'POST' && responses.has(201),
  );
}

/** The request as it is sent. */
export function toSend(request: ValidRequest, query = ''): Sent {
  const { operation, path, headers, fields } = request;
  const target = operation.template.replace(/\{([^}]+)\}/g, (_, name: string) => path[name] ?? randomUUID());
  const sent = { method: operation.method, target: `${target}${query}` };
  if (!fields || !operation.body) return { ...sent, headers };
  if (!isForm(operation)) {
    const type = { 'Content-Type': operation.body.type };
    return { ...sent, headers: { ...type, ...headers }, body: JSON.stringify(fields) };
  }
  const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  return { ...sent, headers: { ...type, ...headers }, body: formOf(fields) };
}

export function withToken(request: Sent, token: string | undefined): Sent {
  if (token === undefined) return request;
  return { ...request, headers: { Authorization: token, ...request.headers } };
}

export function formOf(fields: Values): string {
  return form(
    ...Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((item) => (name === 'file' ? filePart(String(item)) : textPart(name, String(item)))),
    ),
  );
}
