import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isUuid } from '../../../server/src/domain/identifiers.ts';
import { addressableObjects } from '../../../server/src/store/addressable-objects.ts';
import type { Api } from '../../support/api.ts';
import type { Received, Sent } from '../../support/raw-requests.ts';
import { onS3 } from '../../support/s3.ts';
import { type Rule, recording } from './advice.ts';
import { isForm, type Operation, operations, parametersIn } from './contract.ts';
import { columnsLost, directoryLost, type Fault, type FragileDatabase } from './faults.ts';
import { assertAccepted, type Requests, toSend, type ValidRequest, type Values } from './requests.ts';

/** What an alteration may need besides a valid request. */
export interface Fixtures {
  /** Headers of callers. */
  outsider: string;
  expired: string;
  /** The only owner of the organization, and the default caller. */
  owner: { id: string };
  admin: string;
  /** Manages the workspace of the memberships. */
  manager: string;
  /** Has a role in that workspace with a permission on the organization. */
  peopleOfficer: string;
  /** An active user who is in no workspace. */
  activeUser: string;
  runningExecution: string;
  endedExecution: string;
  caseWithoutContact: string;
  /** A definition, and parameters that its form can neither send nor correct. */
  unusableForm: { workflowDefinitionId: string; parametersId: string };
  /** In another workspace than the definitions. */
  caseElsewhere: string;
  /** A record with as many attachments, and a workspace with as many members, as there may be. */
  fullRecord: string;
  fullWorkspace: string;
  roleOfFull: string;
  /** A caller and a record of an organization whose storage quota is used up. */
  exhausted: { token: string; tableId: string; recordId: string };
  /** Bytes of an uploaded file at most. */
  uploadLimit: number;
}

/** Turns a valid request into one that is refused. `token` replaces the caller's; '' sends none. */
export type Alteration = (request: ValidRequest, fixtures: Fixtures) => Sent & { token?: string };

const with_ = (request: ValidRequest, fields: Values): Sent =>
  toSend({ ...request, fields: { ...request.fields, ...fields } });
const onPath = (request: ValidRequest, path: Record<string, string>): Sent =>
  toSend({ ...request, path: { ...request.path, ...path } });

/** Names the user in the path, and in the body if that names one. */
const ofUser = ({ fields, ...request }: ValidRequest, userId: string): Sent =>
  toSend({
    ...request,
    path: { ...request.path, userId },
    fields: fields && 'userId' in fields ? { ...fields, userId } : fields,
  });

/** The object of this name does not exist, wherever the operation names it. */
const missing =
  (name: string): Alteration =>
  (request) => {
    const { path, fields } = request;
    const other = { [name]: randomUUID() };
    const named = (values: Values | undefined) => values !== undefined && name in values;
    return toSend({
      ...request,
      path: named(path) ? { ...path, ...other } : path,
      fields: named(fields) ? { ...fields, ...other } : fields,
    });
  };

/** The errors that one request leads to, by status and code. An alteration serves all operations that document the error. */
export const alterations: Record<string, Alteration> = {
  '400 parameter_invalid': (request) => toSend(request, '?surplus=1'),
  '400 body_invalid': (request) => with_(request, { surplus: '1' }),
  '400 body_malformed': (request) => ({ ...toSend(request), body: '{"a":' }),
  '400 multipart_malformed': (request) => ({ ...toSend(request), body: 'no form' }),
  '400 role_unknown': missing('roleId'),
  '400 user_id_mismatch': (request) => with_(request, { userId: randomUUID() }),
  '400 expiry_out_of_range': (request) => with_(request, { expiresAt: '2020-01-01T00:00:00.000Z' }),
  '400 parameters_mismatch': (request, { unusableForm }) =>
    request.fields && 'caseId' in request.fields
      ? with_(request, unusableForm)
      : with_(request, { parameters: { claimNumber: 5 } }),
  '400 record_mismatch': missing('recordId'),
  '400 link_objects_mismatch': (request, { caseElsewhere }) => with_(request, { caseId: caseElsewhere }),
  '400 case_has_no_contact': (request, { caseWithoutContact }) =>
    with_(request, { caseId: caseWithoutContact }),
  '401 credentials_missing': (request) => ({ ...toSend(request), token: '' }),
  '401 credentials_invalid': (request) => {
    if (request.operation.secured) return { ...toSend(request), token: 'tot_unknown' };
    return with_(
      request,
      request.fields && 'secret' in request.fields ? { secret: 'wrong' } : { refreshToken: 'wrong' },
    );
  },
  '401 token_expired': (request, { expired }) => ({ ...toSend(request), token: expired }),
  '403 permission_denied': (request, { outsider }) => ({ ...toSend(request), token: outsider }),
  '403 beyond_own_permissions': (request, { owner, admin, manager, peopleOfficer }) =>
    'workspaceId' in request.path
      ? { ...ofUser(request, peopleOfficer), token: manager }
      : { ...ofUser(request, owner.id), token: admin },
  ...Object.fromEntries(
    Object.entries(addressableObjects).map(([name, object]) => [`404 ${object.missing}`, missing(name)]),
  ),
  '404 membership_not_found': (request, { activeUser }) => onPath(request, { userId: activeUser }),
  '404 result_not_available': (request, { runningExecution }) =>
    onPath(request, { workflowId: runningExecution }),
  '409 execution_already_ended': (request, { endedExecution }) =>
    onPath(request, { workflowId: endedExecution }),
  '409 last_owner': (request, { owner }) => onPath(request, { userId: owner.id }),
  '409 own_user': (request, { owner }) => onPath(request, { userId: owner.id }),
  '409 user_not_terminated': (request, { activeUser }) => onPath(request, { userId: activeUser }),
  '409 too_many_attachments': (request, { fullRecord }) => onPath(request, { recordId: fullRecord }),
  '409 too_many_members': (request, { fullWorkspace, roleOfFull }) =>
    toSend({
      ...request,
      path: { ...request.path, workspaceId: fullWorkspace },
      fields: { ...request.fields, roleId: roleOfFull },
    }),
  '412 precondition_failed': (request) => toSend({ ...request, headers: { 'If-Match': '"other"' } }),
  '413 storage_quota_exceeded': (request, { exhausted: { token, ...path } }) => ({
    ...('recordId' in request.path ? onPath(request, path) : toSend(request)),
    token,
  }),
  '413 body_too_large': (request) => ({ ...toSend(request), body: ' '.repeat((1 << 20) + 1) }),
  '413 file_too_large': (request, { uploadLimit }) => with_(request, { file: 'x'.repeat(uploadLimit + 1) }),
  '415 content_type_unsupported': (request) => {
    const sent = toSend(request);
    return { ...sent, headers: { ...sent.headers, 'Content-Type': 'text/plain' } };
  },
  '416 range_not_satisfiable': (request) => toSend({ ...request, headers: { Range: 'bytes=1000000-' } }),
};

/** What the errors of several requests need. */
export interface Stage {
  requests: Requests;
  /** Requests to a platform that allows two requests a minute, and polls in the sandbox only. */
  narrow: Requests;
  /** The headers of a new caller of that platform. */
  narrowToken(): Promise<string>;
  /** Begins a change, and keeps it from ending until `release`. */
  keepOpen(
    operation: Operation,
    begin: () => Promise<Received>,
  ): Promise<{ response: Promise<Received>; release(): Promise<void> }>;
  /** Sends a part of the body and waits. */
  sendPart(operation: Operation): Promise<Received>;
}

/** The errors that need several requests, time or another platform, by status and code: they return the response. */
export const sequences: Record<string, (operation: Operation, stage: Stage) => Promise<Received>> = {
  '403 sandbox_only': async (operation, { narrow, narrowToken }) =>
    narrow.send(toSend(await narrow.valid(operation)), await narrowToken()),
  '408 request_timeout': (operation, { sendPart }) => sendPart(operation),
  '409 idempotency_key_in_use': async (operation, { requests, keepOpen }) => {
    const request = toSend({ ...(await requests.valid(operation)), headers: newKey() });
    const first = await keepOpen(operation, () => requests.send(request));
    const second = await requests.send(request);
    await first.release();
    assertAccepted(operation, await first.response);
    return second;
  },
  '422 idempotency_key_reused': async (operation, { requests }) => {
    const request = { ...(await requests.valid(operation)), headers: newKey() };
    assertAccepted(operation, await requests.send(toSend(request)));
    const other = await requests.send(toSend(altered(request)));
    // If the other request's object is missing, the permission is checked before the key.
    if (other.status !== 404) return other;
    return requests.send(toSend({ ...(await requests.valid(operation)), headers: request.headers }));
  },
  '429 mail_limit_exceeded': async (operation, { requests }) => {
    const request = toSend(await requests.valid(operation));
    for (let sent = 0; sent < 10; sent++) assertAccepted(operation, await requests.send(request));
    return requests.send(request);
  },
  '429 rate_limit_exceeded': async (operation, { narrow, narrowToken }) => {
    const request = toSend(await narrow.valid(operation));
    const token = await narrowToken();
    let response = await narrow.send(request, token);
    for (let more = 0; more < 3 && response.status !== 429; more++)
      response = await narrow.send(request, token);
    return response;
  },
};

const newKey = () => ({ 'Idempotency-Key': randomUUID() });

/** A failure of a dependency, and the error of each operation meanwhile. */
export interface Outage {
  name: string;
  fault: Fault;
  operations: Operation[];
  /** What is broken if an operation responds otherwise. */
  rule: Rule;
  /** Status and code. */
  error(operation: Operation): string;
}

/** @param fragile the database of the platform */
export async function outagesOf({ dataDirectory }: Api, fragile: FragileDatabase): Promise<Outage[]> {
  const blobs = join(dataDirectory, 'blobs', 'production');
  const incoming = onS3() ? await realpath(join(blobs, '..')) : join(blobs, 'incoming');
  const uploads = operations.filter(isForm);
  const downloads = operations.filter(({ responses }) => responses.has(206));
  const internal = () => '500 internal_error';
  const unavailable = () => '503 service_unavailable';
  const ofStore = ({ responses }: Operation) =>
    responses.has(502) ? '502 upstream_unavailable' : unavailable();
  const outage = (
    name: string,
    fault: Fault,
    operations: Operation[],
    error: (operation: Operation) => string,
    rule: Rule = 'failure',
  ): Outage => ({ name, fault, operations, error, rule });
  return [
    outage('a database that cannot be reached', fragile.line, operations, ofStore),
    // One that identifies callers, and one that a public operation reads.
    outage(
      'tables without their columns',
      columnsLost(fragile, 'users', 'webhook_keys'),
      operations,
      internal,
    ),
    outage(
      'an outbox without its columns, late in a change',
      columnsLost(fragile, 'events'),
      recording,
      internal,
      'event',
    ),
    outage('a disk or a bucket that takes nothing', directoryLost(incoming), uploads, unavailable),
    outage('files that are lost', directoryLost(join(blobs, 'blobs')), downloads, unavailable),
  ];
}

/** Another request of the same operation, for an Idempotency-Key that was used before. */
export function altered(request: ValidRequest): ValidRequest {
  const [first] = parametersIn(request.operation, 'path');
  if (!request.fields) return { ...request, path: { ...request.path, [first?.name ?? '']: randomUUID() } };
  const { fields } = request;
  const names = Object.keys(fields);
  const isObject = (name: string) => typeof fields[name] === 'object' && !Array.isArray(fields[name]);
  if ('file' in fields) return { ...request, fields: { ...fields, file: 'other bytes' } };
  const object = names.find(isObject);
  if (object)
    return { ...request, fields: { ...fields, [object]: { ...(fields[object] as object), other: 1 } } };
  const [name = ''] = names.filter((one) => otherValue(fields[one]) !== undefined);
  return {
    ...request,
    fields: { ...fields, [name || (names[0] ?? '')]: otherValue(fields[name]) ?? randomUUID() },
  };
}

/** Another value that satisfies the same schema; undefined for texts, whose schema may demand anything. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' && isUuid(value) ? randomUUID() : undefined;
}
