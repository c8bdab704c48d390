import { version } from '../../generated/version.ts';

interface Environment {
  env?: Record<string, string | undefined>;
  versions?: Record<string, string | undefined>;
}

const environment = (): Environment => (globalThis as { process?: Environment }).process ?? {};

/** @returns undefined if it is not set or empty, or where there are no environment variables */
export function variable(name: string): string | undefined {
  try {
    return environment().env?.[name] || undefined;
  } catch {
    // Deno denies the access without --allow-env.
    return undefined;
  }
}

/** A header that names the client, the runtime and the retry. Browsers do not let scripts set `User-Agent`. */
export function identification(retryCount: number): [name: string, value: string] {
  const { versions = {} } = environment();
  const name = ['bun', 'deno', 'node'].find((each) => versions[each]);
  const runtime = name ? `${name}/${versions[name]}` : 'browser';
  return [name ? 'User-Agent' : 'X-Wrp-Client', `wrp-client/${version} (${runtime}; retry ${retryCount})`];
}
