import type { Client } from './client.ts';

/**
 * What proves who the caller is: an organization token as it stands (`tot_…`), or an access token from
 * `POST /auth/authorize`.
 */
export type Token = string | { accessToken: string };

/** What a token source is asked with. */
export interface TokenRequest {
  /** The client that asks; its `/auth/` operations need no token. */
  client: Client;
  /** The Authorization that was just answered with 401; a source that knows better gives another token. */
  rejected: string | undefined;
}

/** A token, or where to get the current one: asked before every request, and once more when it is refused. */
export type TokenSource = Token | ((asked: TokenRequest) => Token | Promise<Token>);

/** @returns The value of the Authorization header: an organization token goes bare, an access token as Bearer. */
export async function authorization(source: TokenSource, asked: TokenRequest): Promise<string> {
  const token = typeof source === 'function' ? await source(asked) : source;
  return typeof token === 'string' ? token : bearer(token);
}

/** @throws {TypeError} Most often it is a variable that was not set. */
export function assertNotEmpty(source: TokenSource | undefined): void {
  if (source === '' || (typeof source === 'object' && !source.accessToken))
    throw new TypeError('The token is empty. Leave it out where only /auth/ is called.');
}

export function bearer({ accessToken }: { accessToken: string }): string {
  return `Bearer ${accessToken}`;
}

/** @returns Whether the path is public. A token source may call it to get its token. */
export function isPublic(path: string): boolean {
  return path.startsWith('/auth/');
}
