import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { isRefusal, Refused, refuse, splitTarget } from '../../contract/index.ts';
import { ifMatch } from '../../http-bodies/index.ts';
import {
  assertClientWaits,
  ClientGone,
  clientSignal,
  parseTraceparent,
  traceIdOf,
} from '../../http-server/index.ts';
import { isUnavailable } from '../../postgres-client/index.ts';
import { canonicalIdentifiers } from '../domain/identifiers.ts';
import type { Database } from '../store/database.ts';
import { setTraceparent } from '../store/trace-context.ts';
import { budgetAddress } from './client-address.ts';
import type { Exchange, Platform } from './exchange.ts';
import { failureOf } from './failure.ts';
import { type HandlerResult, once, requestDigest } from './idempotency.ts';
import { assertDeclared, reply, type Sent } from './reply.ts';
import { receiveRequest } from './request-body.ts';
import { identify, permit } from './security.ts';

/**
 * The only code that touches the request and the response. In this order: match the contract → identify the caller
 * → check the permission on the addressed object → rate limit → read the body → validate → run the handler →
 * validate the response → commit → send. Every failure becomes an error object of the contract.
 */
export function dispatch(platform: Platform): RequestHandler {
  return (request, response, next) => {
    const [path, search] = splitTarget(request.url);
    const match = platform.contract.match(request.method, path);
    if (!match) return next();
    if ('allow' in match) {
      response.setHeader('Allow', match.allow.join(', '));
      return next(new Refused(refuse(405, 'method_not_allowed')));
    }
    const operation = platform.served.get(match.operation);
    if (!operation) return next();
    const exchange: Exchange = {
      id: randomUUID(),
      traceparent: parseTraceparent(request.headers['traceparent']),
      request,
      response,
      operation,
      path: canonicalIdentifiers(match.path),
      search,
      permittedUntil: 0,
      limits: {},
    };
    exchangeOne(platform, exchange).catch((error) => {
      platform.log.internalError(logged(exchange), error);
      response.destroy();
    });
  };
}

async function exchangeOne(platform: Platform, exchange: Exchange): Promise<void> {
  const startedAt = performance.now();
  let sent: Sent;
  try {
    const result = await resultOf(platform, exchange);
    if (isRefusal(result) && result.errors[0]?.code === 'credentials_invalid')
      platform.countRefused(exchange.request);
    sent = await reply(platform, exchange, result);
  } catch (error) {
    sent = await fail(platform, exchange, error);
  }
  platform.log.completed({
    ...logged(exchange),
    caller: exchange.caller,
    milliseconds: performance.now() - startedAt,
    ...sent,
  });
}

function logged({ id, operation, traceparent }: Exchange) {
  return { requestId: id, operationId: operation.contract.id, traceId: traceIdOf(traceparent) };
}

/** Sends the response to a failure; a plain 500 if the contract does not declare that response. */
async function fail(platform: Platform, exchange: Exchange, error: unknown): Promise<Sent> {
  if (error instanceof ClientGone) return { status: ClientGone.status, aborted: true };
  const { refusal, isInternal } = failureOf(error, exchange.operation.storeFailure);
  if (isInternal) platform.log.internalError(logged(exchange), error);
  if (exchange.response.headersSent) {
    exchange.response.destroy();
    return { status: exchange.response.statusCode, aborted: true };
  }
  const headers = error instanceof Refused ? error.headers : {};
  try {
    return await reply(platform, exchange, refusal, headers);
  } catch (undeclared) {
    platform.log.internalError(logged(exchange), undeclared);
    return reply(platform, exchange, refuse(500, 'internal_error'));
  }
}

async function resultOf(platform: Platform, exchange: Exchange): Promise<HandlerResult> {
  const { operation, request } = exchange;
  const { addressing } = operation;
  const denied = addressing && (await identify(platform, exchange, addressing));
  // A refused request counts too, so that a caller cannot try identifiers without limit.
  if (operation.limits.length > 0 && (!denied || exchange.caller)) {
    const subject = exchange.caller?.credentialId ?? budgetAddress(request);
    exchange.limits = await platform.limits.take(subject, operation.limits);
  }
  if (denied && denied.status !== 400) return denied;
  assertClientWaits(exchange.response);
  const { checked, discard } = await receiveRequest(platform, exchange, denied !== undefined);
  if (denied && !('problems' in checked)) return denied;
  try {
    if (operation.contract.findDeprecated && !('problems' in checked)) exchange.body = checked.body;
    const result =
      'problems' in checked
        ? { status: 400, errors: checked.problems }
        : await permitAndHandle(platform, exchange, checked);
    if (isRefusal(result) || result.replayed) await discard();
    return result;
  } catch (error) {
    // If the connection broke during the commit, the row may exist: then the sweeper decides.
    if (!isUnavailable(error)) await discard();
    throw error;
  }
}

function permitAndHandle(platform: Platform, exchange: Exchange, checked: Input): Promise<HandlerResult> {
  const { addressing } = exchange.operation;
  const input = { ...checked, body: canonicalIdentifiers(checked.body) };
  if (addressing?.where !== 'body') return handle(platform, exchange, input);
  return permit(platform, exchange, input).then((denied) => denied ?? handle(platform, exchange, input));
}

/**
 * Runs the handler: a read on the pool, a change in a transaction, and only once for an Idempotency-Key. If the client
 * has gone, nothing is done: it may have sent another request since. If the caller is not permitted any more, a change
 * that began late does nothing, and a read that waited shows nothing.
 *
 * @throws ClientGone
 */
function handle(platform: Platform, exchange: Exchange, input: Input): Promise<HandlerResult> {
  const { operation, row, request, response, traceparent } = exchange;
  const precondition = operation.takesIfMatch ? request.headers['if-match'] : undefined;
  const isCurrent = precondition === undefined ? undefined : ifMatch(precondition);
  const run = async (database: Database) => {
    const { caller } = exchange;
    const signal = operation.contract.waits ? clientSignal(response) : undefined;
    const given = { ...input, caller, row, isCurrent, signal, database };
    const result = await operation.handler(given as never);
    const checking = assertDeclared(operation.contract, result);
    if (checking) await checking;
    return result;
  };
  if (!operation.changes) {
    const result = run(platform.database);
    if (!input.query.wait) return result;
    return result.then(async (waited) => (await permit(platform, exchange, input)) ?? waited);
  }
  const key = operation.takesIdempotencyKey ? request.headers['idempotency-key'] : undefined;
  const change = (transaction: Database) => {
    const { caller } = exchange;
    if (typeof key !== 'string' || !caller) return run(transaction);
    const sha256 = requestDigest(operation.contract.id, input.path, input.query, input.body);
    return once(
      transaction,
      { userId: caller.userId, key, sha256, now: platform.now() },
      {
        change: () => run(transaction),
        keeping: platform.responseStorage[operation.contract.id],
        addressing: operation.addressing,
      },
    );
  };
  const begin = (transaction: Database) => {
    if (!operation.addressing || performance.now() < exchange.permittedUntil) return change(transaction);
    return permit(platform, exchange, input, transaction).then((denied) => denied ?? change(transaction));
  };
  return platform.transact(
    (transaction) => {
      assertClientWaits(response);
      if (traceparent === undefined) return begin(transaction);
      return setTraceparent(transaction, traceparent).then(() => begin(transaction));
    },
    () => clientSignal(response),
  );
}

/** The validated input of a handler of any operation. */
interface Input {
  path: object;
  query: { wait?: number };
  body: unknown;
}
