import { randomBytes } from 'node:crypto';
import type { PlatformProcess } from '../platform.ts';

export interface Outcome {
  status: number;
  body: string;
  retryAfter: string | null;
}

const longestResponse = 60_000;

/** Calls the platform as its clients do. */
export function clientOf({ demo }: PlatformProcess) {
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Outcome> => {
    const response = await fetch(demo.baseUrl + path, {
      ...init,
      method,
      signal: AbortSignal.timeout(longestResponse),
      headers: { Authorization: demo.organizationToken, ...init.headers },
    });
    const { status, headers } = response;
    return { status, body: await response.text(), retryAfter: headers.get('Retry-After') };
  };
  return {
    read: () => call('GET', '/organizations/users?size=1'),
    isAlive: () => call('GET', '/healthz'),
    /** What is not ready. */
    async notReady(): Promise<string[]> {
      const { body } = await call('GET', '/readyz');
      return (JSON.parse(body) as { reasons?: string[] }).reasons ?? [];
    },
    execution: (id: string) => call('GET', `/workflows/${id}`),
    upload(bytes: number) {
      const form = new FormData();
      form.append('file', new File([randomBytes(bytes)], 'a.bin'));
      return call('POST', '/resources', { body: form });
    },
    /** @param bytes of its parameters */
    start: (bytes: number, definition: 'echo' | 'steps' = 'echo') =>
      call('POST', '/workflows', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          workflowDefinitionId: demo.definitions[definition],
          parameters: { text: 'x'.repeat(bytes) },
        }),
      }),
  };
}

/** Why a response is neither a success nor the refusal that the contract documents. */
export function problemOf(what: string, { status, body, retryAfter }: Outcome): string[] {
  if (status < 300) return [];
  const isDocumented = status === 503 && body.includes('"service_unavailable"') && retryAfter !== null;
  return isDocumented
    ? []
    : [`${what} returned ${status} (Retry-After ${retryAfter}): ${body.slice(0, 200)}`];
}
