import { type Refusal, refuse } from '../../contract/index.ts';
import { isUnavailable } from '../../postgres-client/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import { decideAccess } from '../store/access.ts';
import { findApiKey } from '../store/auth.ts';
import type { Database } from '../store/database.ts';
import { readCredential } from './credentials.ts';

/**
 * The refusals of credentials that are valid in the other environment, with a message that names it (decision 46): their
 * holder is no stranger. Undefined for all others, so that the response says nothing about either environment.
 */
export interface OtherEnvironment {
  /** @param header the Authorization header of a request */
  refusalOfToken(header: string | undefined): Promise<Refusal<401> | undefined>;
  refusalOfApiKey(sent: { key: string; secret: string }): Promise<Refusal<401> | undefined>;
  refusalOfRefreshToken(token: string): Promise<Refusal<401> | undefined>;
}

/** @param other the environment beside the one named `here` */
export function otherEnvironment(
  here: EnvironmentName,
  other: { name: EnvironmentName; requestDatabase: Database; tokens: BearerTokens },
  now: () => Date,
): OtherEnvironment {
  const { requestDatabase: database, tokens } = other;
  const named = (name: EnvironmentName) => (name === 'sandbox' ? 'the sandbox' : 'production');
  const refuseIf = async (what: string, isValidThere: () => Promise<boolean>) => {
    const isValid = await isValidThere().catch((error) => {
      if (isUnavailable(error)) return false;
      throw error;
    });
    const message = `The ${what} belongs to ${named(other.name)}, and this is ${named(here)}.`;
    return isValid ? refuse(401, 'credentials_invalid', { message }) : undefined;
  };
  const hasCaller = async (credential: Parameters<typeof decideAccess>[1]) =>
    (await decideAccess(database, credential, { name: 'none' }, null)).kind !== 'unknown_caller';
  return {
    refusalOfToken: (header) =>
      refuseIf('token', async () => {
        const credential = await readCredential(header, tokens, now());
        return 'scheme' in credential && hasCaller(credential);
      }),
    refusalOfApiKey: (sent) =>
      refuseIf('API key', async () => (await findApiKey(database, sent)) !== undefined),
    refusalOfRefreshToken: (token) =>
      refuseIf('refresh token', async () => {
        const verdict = await tokens.verifyRefresh(token, now());
        return (
          verdict.kind === 'valid' && hasCaller({ scheme: 'accessToken', family: verdict.claims.family })
        );
      }),
  };
}
