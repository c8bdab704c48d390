/**
 * What proves who the caller is: an organization token as it stands (`tot_…`), or an access token from
 * `POST /auth/authorize`.
 */
export type Token = string | { accessToken: string };

/** A token, or where to get the current one; asked before every request. */
export type TokenSource = Token | (() => Token | Promise<Token>);

/** @returns The value of the Authorization header: an organization token goes bare, an access token as Bearer. */
export async function authorization(source: TokenSource): Promise<string> {
  const token = typeof source === 'function' ? await source() : source;
  return typeof token === 'string' ? token : `Bearer ${token.accessToken}`;
}

/** @returns Whether the path is public. A token source may call it to get its token. */
export function isPublic(path: string): boolean {
  return path.startsWith('/auth/');
}
