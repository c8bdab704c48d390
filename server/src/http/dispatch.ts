import type { RequestHandler } from 'express';
import { operations } from '../../../generated/operations.ts';
import {
  isRefusal,
  type Refusal,
  Refused,
  refuse,
  refusedMethod,
  splitTarget,
} from '../../contract/index.ts';
import { ifMatch, ifMatchMistake } from '../../http-bodies/index.ts';
import { assertClientWaits, ClientGone, clientSignal } from '../../http-server/index.ts';
import { isUnavailable } from '../../postgres-client/index.ts';
import { canonicalIdentifiers } from '../domain/identifiers.ts';
import type { Access, Credential, TargetObject } from '../store/access.ts';
import { withAudit } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import { identifiersOf, note } from '../tracing/trace.ts';
import { auditOriginOf, notAudited } from './audit.ts';
import { readCredential, refuseUnknownCaller } from './credentials.ts';
import { failureOf } from './failure.ts';
import { requestIdOf } from './followed-request.ts';
import { requestDigest, withIdempotencyKey } from './idempotency.ts';
import type { HandlerResult } from './operation.ts';
import { budgetAddress, type RateLimit } from './rate-limits.ts';
import { assertDeclared, reply, type Sent } from './reply.ts';
import { receiveRequest } from './request-body.ts';
import type { Platform, RequestContext } from './request-context.ts';
import type { ResourceLookup } from './served-operation.ts';

/**
 * Milliseconds for which a check of the caller holds. A change that begins later, because it waited for a connection or
 * for the check of its parameters, checks its caller again.
 */
const checkHolds = 1_000;

/**
 * Handlers and the store never see the request and the response; this file does, with request-body.ts and reply.ts. In
 * this order: match the contract → identify the caller → check the permission on the target object → rate limit → read
 * the body → validate → run the handler → validate the response → commit → send. Everything thrown becomes an error
 * object of the contract. A promise is awaited only where there is one: each `await` of a small request counts.
 */
export function dispatch(platform: Platform): RequestHandler {
  return (request, response, next) => {
    const [path, search] = splitTarget(request.url);
    const match = platform.contract.match(request.method, path);
    if (!match) return next();
    if ('allow' in match) return next(refusedMethod(match.allow));
    const operation = platform.served.get(match.operation);
    if (!operation) return next();
    const context: RequestContext = {
      id: requestIdOf(request),
      request,
      response,
      operation,
      path: canonicalIdentifiers(match.path),
      search,
      permittedUntil: 0,
      limits: {},
    };
    note(identifiersOf(context.path));
    serveRequest(platform, context).catch((error) => {
      platform.log.internalError(logged(context), error);
      response.destroy();
    });
  };
}

async function serveRequest(platform: Platform, context: RequestContext): Promise<void> {
  const startedAt = performance.now();
  let sent: Sent;
  try {
    let result = await resultOf(platform, context);
    if (isRefusal(result) && result.errors[0]?.code === 'credentials_invalid') {
      platform.countRefused(context.request);
      const { authorization } = context.request.headers;
      if (context.operation.lookup && !context.caller)
        result = (await platform.otherEnvironment?.refusalOfToken(authorization)) ?? result;
    }
    const replied = reply(platform, context, result);
    sent = replied instanceof Promise ? await replied : replied;
  } catch (error) {
    sent = await fail(platform, context, error);
  }
  platform.log.completed({
    ...logged(context),
    caller: context.caller,
    milliseconds: performance.now() - startedAt,
    ...sent,
  });
}

async function resultOf(platform: Platform, context: RequestContext): Promise<HandlerResult> {
  const { operation, request } = context;
  const { lookup, limits, limitsIfRefused } = operation;
  const count = async (limits: readonly RateLimit[]) => {
    const subject = context.caller?.credentialId ?? budgetAddress(request);
    const taken = platform.limits.take(subject, limits);
    context.limits = taken instanceof Promise ? await taken : taken;
  };
  const denied = lookup && (await identify(platform, context, lookup));
  // A refused request counts too, so that a caller cannot try identifiers without limit.
  if (limits.length > 0 && !limitsIfRefused && (!denied || context.caller)) await count(limits);
  // A malformed identifier is reported together with the other errors of the request.
  if (denied && denied.status !== 400) return denied;
  assertClientWaits(context.response);
  const { checked, discard } = await receiveRequest(platform, context, denied !== undefined);
  if (denied && !('problems' in checked)) return denied;
  try {
    if (operation.contract.findDeprecated && !('problems' in checked)) context.body = checked.body;
    const result =
      'problems' in checked
        ? { status: 400, errors: checked.problems }
        : await permitAndHandle(platform, context, checked);
    if (limitsIfRefused) await count(isRefusal(result) ? limitsIfRefused : limits);
    if (isRefusal(result) || result.replayed) await discard();
    return result;
  } catch (error) {
    // If the connection broke during the commit, the row may exist: then the sweeper decides.
    if (!isUnavailable(error)) await discard();
    throw error;
  }
}

/**
 * Identifies the caller and, if the path names the target object, checks the permission. Identity comes first:
 * a malformed identifier is 401 for a stranger and 400 for a caller. The context knows its caller as early as
 * possible, so that a refusal is logged and its headers are set for that caller.
 *
 * @returns a refusal: 401, 400, 404 or 403, in this order; undefined if the caller is permitted
 */
async function identify(
  platform: Platform,
  context: RequestContext,
  lookup: ResourceLookup,
): Promise<Refusal | undefined> {
  const { request, operation, path } = context;
  const read = readCredential(request.headers.authorization, platform.tokens, platform.now());
  const credential = read instanceof Promise ? await read : read;
  if ('errors' in credential) return credential;
  context.credential = credential;
  const problems = operation.contract.checkPath(path);
  const named = lookup.where === 'path' && !problems;
  const object: TargetObject = named ? lookup.object(path) : { name: 'none' };
  const { permission } = operations[operation.contract.id];
  const access = await platform.access(platform.database, credential, object, named ? permission : null);
  if (access.kind === 'unknown_caller')
    return refuseUnknownCaller(credential.scheme, request.headers.authorization);
  context.caller = access.caller;
  // A body that has not arrived yet may take minutes.
  if (request.complete) context.permittedUntil = performance.now() + checkHolds;
  if (access.kind === 'granted') context.row = access.row;
  if (problems) return { status: 400, errors: problems };
  return refusalOf(access, lookup, permission, credential);
}

function permitAndHandle(
  platform: Platform,
  context: RequestContext,
  checked: Input,
): Promise<HandlerResult> {
  const { lookup } = context.operation;
  const input = { ...checked, body: canonicalIdentifiers(checked.body) };
  if (lookup?.where !== 'body') return handle(platform, context, input);
  return permit(platform, context, input).then((denied) => denied ?? handle(platform, context, input));
}

/**
 * Checks caller and permission with all of a valid request: if its body names the object, or again, because either may
 * have been revoked since. That is the case after a wait, and in the transaction of a change that began late.
 *
 * An access token that has expired since is refused after a wait only. Otherwise, no upload could take longer than a
 * token is valid.
 *
 * @param database default: outside of a transaction
 * @returns a refusal: 401, 404 or 403, in this order; undefined if the caller is permitted
 */
async function permit(
  platform: Platform,
  context: RequestContext,
  { path, body }: { path: object; body: unknown },
  database: Database = platform.database,
): Promise<Refusal | undefined> {
  const { operation, request } = context;
  const { lookup } = operation;
  if (!lookup) return undefined;
  const credential = operation.contract.waits
    ? await readCredential(request.headers.authorization, platform.tokens, platform.now())
    : context.credential;
  if (!credential) return refuse(401, 'credentials_missing');
  if ('errors' in credential) return credential;
  const object = lookup.object((lookup.where === 'path' ? path : body) as Record<string, unknown>);
  const { permission } = operations[operation.contract.id];
  const access = await platform.access(database, credential, object, permission);
  if (access.kind === 'granted') context.caller = access.caller;
  context.permittedUntil = performance.now() + checkHolds;
  return refusalOf(access, lookup, permission, credential);
}

function refusalOf(
  access: Access,
  { missing, partMissing, pointer }: ResourceLookup,
  permission: string | null,
  { scheme }: Credential,
): Refusal | undefined {
  switch (access.kind) {
    case 'granted':
      return undefined;
    case 'missing':
      return refuse(404, missing, pointer);
    case 'part_missing':
      return refuse(404, partMissing);
    case 'denied':
      return refuse(403, 'permission_denied', { message: `The permission ${permission} is needed here.` });
    case 'unknown_caller':
      return refuseUnknownCaller(scheme);
  }
}

/**
 * Runs the handler: a read on the pool, a change in a transaction, and only once for an Idempotency-Key. If the client
 * has gone, nothing is done: it may have sent another request since. If the caller is not permitted any more, a change
 * that began late does nothing, and a read that waited shows nothing.
 *
 * @throws ClientGone
 */
function handle(platform: Platform, context: RequestContext, input: Input): Promise<HandlerResult> {
  const { operation, row, request, response } = context;
  const precondition = operation.takesIfMatch ? request.headers['if-match'] : undefined;
  const isCurrent = precondition === undefined ? undefined : ifMatch(precondition);
  const run = async (database: Database) => {
    const { caller } = context;
    const signal = operation.contract.waits ? clientSignal(response) : undefined;
    const given = { ...input, caller, row, isCurrent, signal, database };
    const handled = operation.handler(given as never);
    const returned = handled instanceof Promise ? await handled : handled;
    const result =
      returned.status === 412 && precondition !== undefined ? refuseStale(precondition) : returned;
    const checking = assertDeclared(operation.contract, result);
    if (checking) await checking;
    return result;
  };
  if (!operation.changes) {
    const result = run(platform.database);
    if (!input.query.wait) return result;
    return result.then(async (waited) => (await permit(platform, context, input)) ?? waited);
  }
  const key = operation.takesIdempotencyKey ? request.headers['idempotency-key'] : undefined;
  const audited = (transaction: Database) => {
    if (operation.contract.id in notAudited) return run(transaction);
    return withAudit(
      transaction,
      () => auditOriginOf(context, platform.now()),
      () => run(transaction),
    );
  };
  const change = (transaction: Database) => {
    const { caller } = context;
    if (typeof key !== 'string' || !caller) return audited(transaction);
    const sha256 = requestDigest(operation.contract.id, input.path, input.query, input.body);
    return withIdempotencyKey(
      transaction,
      { userId: caller.userId, key, sha256, now: platform.now() },
      {
        change: () => audited(transaction),
        keeping: platform.responseStorage[operation.contract.id],
        lookup: operation.lookup,
      },
    );
  };
  const begin = (transaction: Database) => {
    if (!operation.lookup || performance.now() < context.permittedUntil) return change(transaction);
    return permit(platform, context, input, transaction).then((denied) => denied ?? change(transaction));
  };
  return platform.transact(
    (transaction) => {
      assertClientWaits(response);
      return begin(transaction);
    },
    () => clientSignal(response),
  );
}

/** The refusal by an `If-Match`: the object has changed, or the header matches no version whatever. */
function refuseStale(precondition: string): Refusal {
  const message = ifMatchMistake(precondition);
  return refuse(412, 'precondition_failed', message === undefined ? {} : { message });
}

/** The validated input of a handler of any operation. */
interface Input {
  path: object;
  query: { wait?: number };
  body: unknown;
}

/** Sends the response to a failure; a plain 500 if the contract does not declare that response. */
async function fail(platform: Platform, context: RequestContext, error: unknown): Promise<Sent> {
  if (error instanceof ClientGone) return { status: ClientGone.status, aborted: true };
  const { refusal, isInternal } = failureOf(error, context.operation.storeFailure);
  if (isInternal) platform.log.internalError(logged(context), error);
  if (context.response.headersSent) {
    context.response.destroy();
    return { status: context.response.statusCode, aborted: true };
  }
  const headers = error instanceof Refused ? error.headers : undefined;
  try {
    return await reply(platform, context, refusal, headers);
  } catch (undeclared) {
    platform.log.internalError(logged(context), undeclared);
    return reply(platform, context, refuse(500, 'internal_error'));
  }
}

function logged({ id, operation }: RequestContext) {
  return { requestId: id, operationId: operation.contract.id };
}
