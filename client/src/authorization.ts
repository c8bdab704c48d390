import type { TokenRequest, TokenSource } from './client-types.ts';

/** @returns The `Authorization` value: an organization token as it is, an access token as Bearer. */
export async function authorization(source: TokenSource, request: TokenRequest): Promise<string> {
  const token = typeof source === 'function' ? await source(request) : source;
  return typeof token === 'string' ? token : bearer(token);
}

/** @throws {TypeError} An empty token is usually an environment variable that is not set. */
export function assertNotEmpty(source: TokenSource | null): void {
  if (source === '' || (source && typeof source === 'object' && !source.accessToken))
    throw new TypeError('The token is empty. For /auth/ operations alone, pass null.');
}

export function bearer({ accessToken }: { accessToken: string }): string {
  return `Bearer ${accessToken}`;
}

/** @returns Whether the path needs no token, so that a token source can call it. */
export function isPublic(path: string): boolean {
  return path.startsWith('/auth/');
}
