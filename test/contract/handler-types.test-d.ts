/**
 * What must, and must not, compile as a handler. Checked with the types of `npm run check`: nothing here ever runs, and a
 * `@ts-expect-error` without an error is an error. Each mistake stands beside its right counterpart, so that
 * it is the mistake that does not compile, and nothing else.
 */
import { expectTypeOf } from 'vitest';
import type { Membership, ParameterSet, Tokens, User } from '../../generated/types.ts';
import type { StoredFile } from '../../server/blobs/index.ts';
import { type ErrorCode, type Refusal, refuse } from '../../server/contract/index.ts';
import type { Handlers } from '../../server/src/handlers/index.ts';
import type { Handler, HandlersOf, Reply, Request } from '../../server/src/http/operation.ts';
import type { Termination } from '../../server/src/store/users.ts';

declare const tokens: Tokens;
declare const user: User;
declare const parameterSet: ParameterSet;
declare const membership: Membership;
declare const file: StoredFile;
declare const key: string;
declare function terminate(): Promise<Termination>;

const exchangeApiKey: Handler<'exchangeApiKey'> = () => ({ status: 200, body: tokens });
const refreshTokens: Handler<'refreshTokens'> = () => ({ status: 200, body: tokens });

export function everyOperationHasItsHandler(all: Handlers) {
  const complete: HandlersOf<'auth'> = { exchangeApiKey, refreshTokens };
  // @ts-expect-error refreshTokens is missing
  const lacking: HandlersOf<'auth'> = { exchangeApiKey };
  // @ts-expect-error there is no such operation
  const excessive: HandlersOf<'auth'> = { exchangeApiKey, refreshTokens, revokeTokens: refreshTokens };
  // @ts-expect-error getUser is missing among all of them
  const whole: Handlers = { ...all, getUser: undefined };
  return [complete, lacking, excessive, whole];
}

export function onlyDeclaredStatusesAreReturned() {
  const right: Handler<'getUser'> = () => refuse(404, 'user_not_found');
  // @ts-expect-error 202 is not declared
  const wrong: Handler<'getUser'> = () => ({ status: 202, body: user });
  // @ts-expect-error 204 is not declared
  const empty: Handler<'getUser'> = () => ({ status: 204 });
  // @ts-expect-error nor is 409
  const refused: Handler<'getUser'> = () => refuse(409, 'last_owner');
  // @ts-expect-error a status is not any number
  const any: Handler<'getUser'> = () => ({ status: 200 as number, body: user });
  return [right, wrong, empty, refused, any];
}

export function aStatusHasItsOwnBody() {
  const right: Handler<'createParameterSet'> = () => ({ status: 201, body: parameterSet });
  // @ts-expect-error the body of another operation
  const wrong: Handler<'createParameterSet'> = () => ({ status: 201, body: membership });
  // @ts-expect-error the body is missing
  const lacking: Handler<'createParameterSet'> = () => ({ status: 201 });
  // @ts-expect-error a refusal has no body of success
  const mixed: Handler<'createParameterSet'> = () => ({ status: 404, body: parameterSet });
  const empty: Handler<'deleteAttachment'> = () => ({ status: 204 });
  // @ts-expect-error 204 has no body
  const full: Handler<'deleteAttachment'> = () => ({ status: 204, body: user });
  const download: Handler<'downloadResource'> = () => ({ status: 200, body: file });
  // @ts-expect-error a file is sent from the blob store, not as text
  const text: Handler<'downloadResource'> = () => ({ status: 200, body: 'the text of the file' });
  return [right, wrong, lacking, mixed, empty, full, download, text];
}

export function declaredHeadersAreThere() {
  const headers = { 'Cache-Control': 'public, max-age=3600' };
  const right: Handler<'getWebhookKey'> = () => ({ status: 200, type: 'text/plain', body: key, headers });
  // @ts-expect-error Cache-Control is missing
  const wrong: Handler<'getWebhookKey'> = () => ({ status: 200, type: 'text/plain', body: key });
  // @ts-expect-error another header is in its place
  const other: Handler<'getWebhookKey'> = () => ({ status: 200, type: 'text/plain', body: key, headers: {} });
  // @ts-expect-error with several media types, the response must name one
  const unnamed: Handler<'getWebhookKey'> = () => ({ status: 200, body: key, headers });
  // @ts-expect-error this operation declares no header of its own
  const extra: Handler<'getUser'> = () => ({ status: 200, body: user, headers });
  return [right, wrong, other, unnamed, extra];
}

export function codesComeFromTheClosedList() {
  refuse(404, 'user_not_found');
  // @ts-expect-error mistyped
  refuse(404, 'user_not_fuond');
  // @ts-expect-error a sentence is not a code
  refuse(404, 'There is no such user.');
  // @ts-expect-error there is no such detail
  refuse(400, 'body_invalid', { field: 'roleId' });
  expectTypeOf(refuse(404, 'user_not_found')).toEqualTypeOf<Refusal<404>>();
  expectTypeOf<'user_on_holiday'>().not.toExtend<ErrorCode>();
}

export function everyOutcomeIsHandled() {
  const right: Handler<'terminateUser'> = async () => {
    const outcome = await terminate();
    switch (outcome.kind) {
      case 'terminated':
      case 'already_terminated':
        return { status: 200, body: outcome.user };
      case 'unknown_user':
        return refuse(404, 'user_not_found');
      case 'own_user':
        return refuse(409, 'own_user');
      case 'not_permitted':
        return refuse(
          403,
          outcome.reason === 'permission_lost' ? 'permission_denied' : 'beyond_own_permissions',
        );
    }
  };
  // @ts-expect-error not_permitted is not handled
  const wrong: Handler<'terminateUser'> = async () => {
    const outcome = await terminate();
    switch (outcome.kind) {
      case 'terminated':
      case 'already_terminated':
        return { status: 200, body: outcome.user };
      case 'unknown_user':
        return refuse(404, 'user_not_found');
      case 'own_user':
        return refuse(409, 'own_user');
    }
  };
  return [right, wrong];
}

export function aPublicOperationHasNoCaller(secured: Request<'getUser'>, open: Request<'exchangeApiKey'>) {
  expectTypeOf(secured.caller.userId).toEqualTypeOf<string>();
  // @ts-expect-error a public operation has no caller
  return open.caller;
}

/** A handler's input is typed from the contract, too. */
export function requestsAreTyped(list: Request<'listUsers'>, upload: Request<'createAttachment'>) {
  expectTypeOf(list.query).toEqualTypeOf<{ page: number; size: number }>();
  expectTypeOf(upload.path).toEqualTypeOf<{ tableId: string; recordId: string }>();
  expectTypeOf(upload.body.file).toEqualTypeOf<StoredFile>();
  expectTypeOf(upload.body.tags).toEqualTypeOf<string[] | undefined>();
  // @ts-expect-error a handler does not see headers
  list.headers;
  // @ts-expect-error nor an undeclared parameter
  list.query.sort;
  expectTypeOf<Reply<'resetUserMfa'>['status']>().toExtend<
    202 | 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500 | 503
  >();
}

export function onlyAnOperationThatWaitsHasASignal(
  poll: Request<'pollWebhookEvents'>,
  list: Request<'listUsers'>,
) {
  expectTypeOf(poll.signal).toEqualTypeOf<AbortSignal>();
  // @ts-expect-error it takes no `wait`
  return list.signal;
}
