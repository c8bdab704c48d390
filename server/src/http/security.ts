import { operations } from '../../../generated/operations.ts';
import { type Refusal, refuse } from '../../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import { isOrganizationToken, secretDigest } from '../domain/organization-token.ts';
import type { Access, AddressedObject, Credential } from '../store/access.ts';
import type { Database } from '../store/database.ts';
import type { Addressing } from './addressing.ts';
import type { Exchange, Platform } from './exchange.ts';

/** RFC 6750, section 2.1: the scheme in any case, spaces, one token. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Milliseconds for which a check of the caller holds. A change that begins later, because it waited for a connection or
 * for the check of its parameters, checks its caller again.
 */
const checkHolds = 1_000;

/**
 * Identifies the caller and, if the path names the addressed object, checks the permission. Identity comes first:
 * a malformed identifier is 401 for a stranger and 400 for a caller. The exchange knows its caller as early as
 * possible, so that a refusal is logged and its headers are set for that caller.
 *
 * @returns a refusal: 401, 400, 404 or 403, in this order; undefined if the caller is permitted
 */
export async function identify(
  platform: Platform,
  exchange: Exchange,
  addressing: Addressing,
): Promise<Refusal | undefined> {
  const { request, operation, path } = exchange;
  const credential = await readCredential(request.headers.authorization, platform.tokens, platform.now());
  if ('errors' in credential) return credential;
  exchange.credential = credential;
  const problems = operation.contract.checkPath(path);
  const named = addressing.where === 'path' && !problems;
  const object: AddressedObject = named ? addressing.object(path) : { name: 'none' };
  const { permission } = operations[operation.contract.id];
  const access = await platform.access(platform.database, credential, object, named ? permission : null);
  if (access.kind === 'unknown_caller') return refuse(401, 'credentials_invalid');
  exchange.caller = access.caller;
  // A body that has not arrived yet may take minutes.
  if (request.complete) exchange.permittedUntil = performance.now() + checkHolds;
  if (access.kind === 'granted') exchange.row = access.row;
  if (problems) return { status: 400, errors: problems };
  return refusalOf(access, addressing, permission);
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
export async function permit(
  platform: Platform,
  exchange: Exchange,
  { path, body }: { path: object; body: unknown },
  database: Database = platform.database,
): Promise<Refusal | undefined> {
  const { operation, request } = exchange;
  const { addressing } = operation;
  if (!addressing) return undefined;
  const credential = operation.contract.waits
    ? await readCredential(request.headers.authorization, platform.tokens, platform.now())
    : exchange.credential;
  if (!credential) return refuse(401, 'credentials_missing');
  if ('errors' in credential) return credential;
  const object = addressing.object((addressing.where === 'path' ? path : body) as Record<string, unknown>);
  const { permission } = operations[operation.contract.id];
  const access = await platform.access(database, credential, object, permission);
  if (access.kind === 'granted') exchange.caller = access.caller;
  exchange.permittedUntil = performance.now() + checkHolds;
  return refusalOf(access, addressing, permission);
}

/**
 * Reads the Authorization header: an organization token, or `Bearer` and an access token. A value that cannot be a
 * credential is refused here (401); any other is still to be looked up.
 */
function readCredential(
  header: string | undefined,
  tokens: BearerTokens,
  now: Date,
): Credential | Refusal | Promise<Credential | Refusal> {
  if (!header) return refuse(401, 'credentials_missing');
  if (isOrganizationToken(header)) return { scheme: 'organizationToken', sha256: secretDigest(header) };
  const token = accessTokenIn(header);
  if (typeof token !== 'string') return token;
  return verify(token, tokens, now);
}

/** The token behind `Bearer`. An organization token there is a usual mistake, and refused with its own message. */
export function accessTokenIn(header: string): string | Refusal {
  const token = bearer.exec(header)?.[1];
  if (!token) return refuse(401, 'credentials_invalid');
  if (!token.startsWith('tot_')) return token;
  const message = 'Send an organization token without "Bearer": Authorization: tot_…';
  return refuse(401, 'credentials_invalid', { message });
}

async function verify(token: string, tokens: BearerTokens, now: Date): Promise<Credential | Refusal> {
  const verdict = await tokens.verifyAccess(token, now);
  switch (verdict.kind) {
    case 'valid':
      return { scheme: 'accessToken', family: verdict.claims.family };
    case 'expired':
      return refuse(401, 'token_expired');
    case 'invalid':
      return refuse(401, 'credentials_invalid');
  }
}

function refusalOf(
  access: Access,
  { missing, partMissing }: Addressing,
  permission: string | null,
): Refusal | undefined {
  switch (access.kind) {
    case 'granted':
      return undefined;
    case 'missing':
      return refuse(404, missing);
    case 'part_missing':
      return refuse(404, partMissing);
    case 'denied':
      return refuse(403, 'permission_denied', { message: `The permission ${permission} is needed here.` });
    case 'unknown_caller':
      return refuse(401, 'credentials_invalid');
  }
}
