import { decodeJwt } from 'jose';
import { type Refusal, refuse } from '../../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import { isOrganizationToken, mockTokenPrefix, secretDigest } from '../domain/organization-token.ts';
import type { Credential } from '../store/access.ts';

/** RFC 6750, section 2.1: the scheme in any case, spaces, one token. */
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the Authorization header: an organization token, or `Bearer` and an access token. A value that cannot be a
 * credential is refused here (401); any other is still to be looked up.
 */
export function readCredential(
  header: string | undefined,
  tokens: BearerTokens,
  now: Date,
): Credential | Refusal | Promise<Credential | Refusal> {
  if (!header) return refuse(401, 'credentials_missing');
  if (isOrganizationToken(header)) return { scheme: 'organizationToken', sha256: secretDigest(header) };
  const message = mistakeIn(header);
  if (message) return refuse(401, 'credentials_invalid', { message });
  const token = bearer.exec(header)?.[1];
  return token ? verify(token, tokens, now) : refuse(401, 'credentials_invalid');
}

/** Usual mistakes, by the form of the header alone: the messages say nothing about what exists. */
type Mistakes = [form: RegExp, message: string][];

const wrongSchemes: Mistakes = [
  [/^bearer +tot_/i, 'Send an organization token without "Bearer": Authorization: tot_…'],
  [/^ey[\w-]+(\.[\w-]+){2}$/, 'Send an access token with "Bearer": Authorization: Bearer ey…'],
];

const mistakes: Mistakes = [
  ...wrongSchemes,
  [/^tot_/, 'The organization token is mistyped or incomplete: it is tot_ and 38 letters and digits.'],
  [/^(\S+ +)?\W?tot_/, 'Send the organization token alone: Authorization: tot_…'],
  [/^(\S+ +)?\W?wrpk_/, 'This is an API key: exchange it with its secret at POST /auth/authorize.'],
  [/^(\S+ +)?\W?wrps_/, 'This is the secret of an API key: exchange both at POST /auth/authorize.'],
  [
    /^(?!bearer +ey)/i,
    'Send an organization token, which is tot_ and 38 letters and digits, or "Bearer" and an access token.',
  ],
];

function mistakeIn(header: string, among = mistakes): string | undefined {
  return among.find(([form]) => form.test(header))?.[1];
}

/** Usual mistakes in the body of a token endpoint, by form. */
const mistakesInBody: Record<'key' | 'secret' | 'refreshToken', Mistakes> = {
  key: [
    [/^wrps_/, 'This is the secret of an API key. The key begins with wrpk_.'],
    [/^tot_/, 'This is an organization token: send it alone in Authorization, without an exchange.'],
  ],
  secret: [[/^wrpk_/, 'This is an API key. Its secret begins with wrps_.']],
  refreshToken: [
    [/^wrp[ks]_/, 'Exchange an API key and its secret at POST /auth/authorize.'],
    [/^tot_/, 'This is an organization token: send it alone in Authorization, without an exchange.'],
  ],
};

/** The refusal of a body that no token endpoint accepts: it names each field that has the form of another credential. */
export function invalidExchange(body: Partial<Record<keyof typeof mistakesInBody, string>>): Refusal<401> {
  const errors = (['key', 'secret', 'refreshToken'] as const).flatMap((name) => {
    const message =
      mistakeIn(body[name] ?? '', mistakesInBody[name]) ??
      (name === 'refreshToken' ? mistakenAudience(body[name], 'access') : undefined);
    return message ? [{ code: 'credentials_invalid' as const, message, pointer: `/${name}` }] : [];
  });
  return errors.length > 0 ? { status: 401, errors } : refuse(401, 'credentials_invalid');
}

const audiences = {
  access: 'This is an access token: send the refresh token that came with it.',
  refresh: 'This is a refresh token: exchange it for an access token at POST /auth/refresh.',
};

/** Reads the audience of a token without verifying it, so the message does not show whether the token is valid. */
function mistakenAudience(token = '', audience: keyof typeof audiences): string | undefined {
  try {
    return decodeJwt(token).aud === audience ? audiences[audience] : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The refusal of a well-formed credential that nobody has, or has any more. A valid access token is no stranger's.
 *
 * @param header Authorization, if the credential is that of the request
 */
export function refuseUnknownCaller(scheme: Credential['scheme'], header = ''): Refusal<401> {
  if (header.startsWith(mockTokenPrefix)) return refuse(401, 'credentials_invalid', { message: tokenOfMock });
  return refuse(401, 'credentials_invalid', scheme === 'accessToken' ? { message: signInRevoked } : {});
}

/** Also what the mock itself says about one of a user that was terminated there. */
const tokenOfMock = 'This is a token of the mock: it is valid only there, and only while its user is active.';

export const signInRevoked =
  'All tokens of this sign-in are revoked: sign in with an API key that is in use.';

/** The refusal of an organization token with `Bearer`, or an access token without it. */
export function wrongScheme(header: string): Refusal | undefined {
  const message = mistakeIn(header, wrongSchemes);
  return message ? refuse(401, 'credentials_invalid', { message }) : undefined;
}

async function verify(token: string, tokens: BearerTokens, now: Date): Promise<Credential | Refusal> {
  const verdict = await tokens.verifyAccess(token, now);
  switch (verdict.kind) {
    case 'valid':
      return { scheme: 'accessToken', family: verdict.claims.family };
    case 'expired':
      return refuse(401, 'token_expired');
    case 'invalid': {
      const message = mistakenAudience(token, 'refresh');
      return refuse(401, 'credentials_invalid', message ? { message } : {});
    }
  }
}
