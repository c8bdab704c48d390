import { apiKey } from './api-key.ts';
import type { TokenSource } from './client-types.ts';

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

/** @returns null if there is none */
export function tokenFromEnvironment(): TokenSource | null {
  const key = variable('WRP_API_KEY');
  const secret = variable('WRP_API_SECRET');
  return variable('WRP_TOKEN') ?? (key && secret ? apiKey({ key, secret }) : null);
}
