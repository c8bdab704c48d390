import { runtime } from '#files';
import { version } from '../../generated/version.ts';

interface Environment {
  process?: { env?: Record<string, string | undefined> };
}

/** @returns undefined if it is not set or empty, or where there are no environment variables */
export function variable(name: string): string | undefined {
  try {
    return (globalThis as Environment).process?.env?.[name] || undefined;
  } catch {
    // Deno denies the access without --allow-env.
    return undefined;
  }
}

/** A header that names the client, the runtime and the retry. Browsers do not let scripts set `User-Agent`. */
export function identification(retryCount: number): [name: string, value: string] {
  const name = runtime();
  return [
    name ? 'User-Agent' : 'X-Wrp-Client',
    `wrp-client/${version} (${name ?? 'browser'}; retry ${retryCount})`,
  ];
}
