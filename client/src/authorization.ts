import type { Client } from './client.ts';

/** An organization token (`tot_…`), or an access token from `POST /auth/authorize`. */
export type Token = string | { accessToken: string };

/** The argument of a token source. */
export interface TokenRequest {
  /** The client that needs the token. Its `/auth/` operations need none. */
  client: Client;
  /** The `Authorization` value that just got a 401. Return another token if there is one. */
  rejected: string | undefined;
}

/** A token, or a function that returns the current one. It is called before every request and once after a 401. */
export type TokenSource = Token | ((request: TokenRequest) => Token | Promise<Token>);

/** @returns The `Authorization` value: an organization token as it is, an access token as Bearer. */
export async function authorization(source: TokenSource, request: TokenRequest): Promise<string> {
  const token = typeof source === 'function' ? await source(request) : source;
  return typeof token === 'string' ? token : bearer(token);
}

/** @throws {TypeError} An empty token is usually an environment variable that is not set. */
export function assertNotEmpty(source: TokenSource | undefined): void {
  if (source === '' || (typeof source === 'object' && !source.accessToken))
    throw new TypeError('The token is empty. Omit it if you call only /auth/ operations.');
}

export function bearer({ accessToken }: { accessToken: string }): string {
  return `Bearer ${accessToken}`;
}

/** @returns Whether the path needs no token, so that a token source can call it. */
export function isPublic(path: string): boolean {
  return path.startsWith('/auth/');
}
