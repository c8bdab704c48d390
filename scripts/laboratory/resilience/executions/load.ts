import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveLocally } from '../../../command-line/local-server.ts';
import type { PlatformProcess } from '../platform.ts';

export type Kind = 'echo' | 'steps' | 'http';

/** A start with its idempotency key: retried until it gets a response. */
export interface Start {
  key: string;
  kind: Kind;
}

const mixture: Kind[] = ['echo', 'echo', 'echo', 'steps', 'http'];

/** A start of a random definition of the demo. */
export function newStart(): Start {
  return { key: randomUUID(), kind: mixture[Math.floor(Math.random() * mixture.length)] as Kind };
}

/** The platform that is called. */
export interface Target {
  demo: Pick<PlatformProcess['demo'], 'baseUrl' | 'organizationToken' | 'definitions'>;
}

/** The body of the request of a start. */
export function startBody({ demo }: Target, { key, kind }: Start, calledUrl: string): string {
  const parameters = kind === 'http' ? { url: calledUrl } : { key };
  return JSON.stringify({ workflowDefinitionId: demo.definitions[kind], parameters });
}

/** The callers' own record, independent of the platform. */
export interface Ledger {
  /** Executions whose start got a response. */
  acknowledged: Map<string, Kind>;
  /** Starts without a response, which may or may not have been received. */
  open: Start[];
  /** SHA-256 of each result as first read. */
  results: Map<string, string>;
  /** Idempotency keys that the called system received, by execution. */
  calls: Map<string, Set<string>>;
  problems: string[];
}

export function newLedger(): Ledger {
  return { acknowledged: new Map(), open: [], results: new Map(), calls: new Map(), problems: [] };
}

/** The system that `http` executions call. */
export function calledSystem(ledger: Ledger): Promise<{ url: string } & Disposable> {
  return serveLocally(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { workflowId } = JSON.parse(body) as { workflowId: string };
    const keys = ledger.calls.get(workflowId) ?? new Set();
    ledger.calls.set(workflowId, keys.add(String(request.headers['idempotency-key'])));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"called":true}');
  });
}

/**
 * Calls the platform as its clients do. Network errors are expected; the caller handles them.
 *
 * @param observe receives each request and its response, or the error of its connection
 */
export function caller(
  platform: Target,
  ledger: Ledger,
  calledUrl: string,
  observe: (request: string, outcome: Response | Error) => void = () => {},
) {
  const { demo } = platform;
  const call = async (method: string, path: string, init: RequestInit = {}) => {
    const sending = fetch(demo.baseUrl + path, {
      ...init,
      method,
      signal: AbortSignal.timeout(30_000),
      headers: { Authorization: demo.organizationToken, ...init.headers },
    });
    const response = await sending.catch((error: Error) => {
      observe(`${method} ${path}`, error);
      throw error;
    });
    observe(`${method} ${path}`, response);
    return response;
  };

  async function start(requested: Start): Promise<void> {
    const response = await call('POST', '/workflows', {
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': requested.key },
      body: startBody(platform, requested, calledUrl),
    });
    const body = (await response.json()) as { id: string };
    if (response.status === 200) ledger.acknowledged.set(body.id, requested.kind);
    // Its first request, whose connection broke, is still carried out.
    else if (response.status === 409) ledger.open.push(requested);
    else if (response.status < 500)
      ledger.problems.push(`a start returned ${response.status}: ${JSON.stringify(body)}`);
    else {
      ledger.open.push(requested);
      if (response.status !== 503 || !response.headers.has('Retry-After'))
        ledger.problems.push(`a start returned ${response.status}: ${JSON.stringify(body)}`);
    }
  }

  return {
    call,

    /** Starts executions until the platform is gone. */
    async startUntil(gone: AbortSignal, pause: number): Promise<void> {
      while (!gone.aborted) {
        const requested = newStart();
        await start(requested).catch(() => ledger.open.push(requested));
        await sleep(pause);
      }
    },

    /** Retries the starts without a response, with their keys. @returns how many */
    async retryOpen(): Promise<number> {
      const open = ledger.open.splice(0);
      for (const each of open) await start(each).catch(() => ledger.open.push(each));
      return open.length;
    },

    /** Reads a result and compares it with earlier reads. @returns whether there is one */
    async readResult(id: string): Promise<boolean> {
      const response = await call('GET', `/workflows/${id}/result`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status === 404 && ledger.results.has(id))
        ledger.problems.push(`the result of ${id} is gone`);
      if (response.status !== 200) return false;
      const digest = createHash('sha256').update(bytes).digest('hex');
      const before = ledger.results.get(id);
      if (before !== undefined && before !== digest) ledger.problems.push(`the result of ${id} has changed`);
      ledger.results.set(id, digest);
      return true;
    },
  };
}
