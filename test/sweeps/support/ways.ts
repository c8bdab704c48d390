import { randomUUID } from 'node:crypto';
import type { Sent } from '../../../scripts/prove/attack/send.ts';
import { isUuid } from '../../../server/src/domain/identifiers.ts';
import { addressableObjects } from '../../../server/src/store/addressable-objects.ts';
import { parametersIn } from './contract.ts';
import { toSend, type ValidRequest, type Values } from './requests.ts';

/** What provoking an error may need besides a valid request. */
export interface Means {
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
  /** In another workspace than the definitions. */
  caseElsewhere: string;
  /** A record with as many attachments, and a workspace with as many members, as there may be. */
  fullRecord: string;
  fullWorkspace: string;
  roleOfFull: string;
  /** Of an organization whose storage quota is used up. */
  exhausted: { token: string; tableId: string; recordId: string };
  /** Bytes of an uploaded file at most. */
  uploadLimit: number;
}

/** Turns a valid request into one that is refused. `token` replaces the caller's; '' sends none. */
export type Way = (request: ValidRequest, means: Means) => Sent & { token?: string };

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
  (name: string): Way =>
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

/**
 * By status and code, how to get this refusal out of an operation that documents it. What needs a failure, a
 * second request or another platform is in errors.test.ts.
 */
export const ways: Record<string, Way> = {
  '400 parameter_invalid': (request) => toSend(request, '?surplus=1'),
  '400 body_invalid': (request) => with_(request, { surplus: '1' }),
  '400 body_malformed': (request) => ({ ...toSend(request), body: '{"a":' }),
  '400 multipart_malformed': (request) => ({ ...toSend(request), body: 'no form' }),
  '400 role_unknown': missing('roleId'),
  '400 user_id_mismatch': (request) => with_(request, { userId: randomUUID() }),
  '400 expiry_out_of_range': (request) => with_(request, { expiresAt: '2020-01-01T00:00:00.000Z' }),
  '400 parameters_mismatch': (request) => with_(request, { parameters: { claimNumber: 5 } }),
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
