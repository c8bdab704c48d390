import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** How long a browser stays signed in. */
const maxAgeSeconds = 12 * 3600;

/**
 * Who may use the console: the browser that opens its link first. The link's token works once, for a cookie; a form has
 * a token of its own, so that only a page of the console can send it.
 */
export interface Session {
  /** The path of the link. */
  path: string;
  /** @returns the `Set-Cookie` header for the first request with the token; undefined for any other */
  redeem(token: string): string | undefined;
  isSignedIn(request: IncomingMessage): boolean;
  /** The token of the form that sends a change to a path. */
  formToken(path: string): string;
  isFormToken(path: string, token: string): boolean;
}

export const linkPrefix = '/open/';

export function newSession(): Session {
  const token = randomBytes(32).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  // Cookies of one host are shared by all of its ports, so each console has a name of its own.
  const name = `wrp-console-${randomBytes(6).toString('hex')}`;
  let isRedeemed = false;
  let signedInAt = 0;
  const formToken = (path: string) => createHmac('sha256', secret).update(path).digest('base64url');
  return {
    path: `${linkPrefix}${token}`,
    redeem(given) {
      if (isRedeemed || !equal(given, token)) return undefined;
      isRedeemed = true;
      signedInAt = performance.now();
      return `${name}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`;
    },
    isSignedIn({ headers }) {
      const isOver = performance.now() - signedInAt > maxAgeSeconds * 1000;
      if (!isRedeemed || isOver) return false;
      const cookies = (headers.cookie ?? '').split(/; */, 50);
      return cookies.some((cookie) => equal(cookie, `${name}=${secret}`));
    },
    formToken,
    isFormToken: (path, given) => equal(given, formToken(path)),
  };
}

/** Takes as long for a text that is almost right as for any other of its length. */
function equal(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
