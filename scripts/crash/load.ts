import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformProcess } from './platform.ts';

type Kind = 'echo' | 'steps' | 'http';

/** A start with its idempotency key: repeated until it is answered. */
interface Asked {
  key: string;
  kind: Kind;
}

/** What the callers know, whatever becomes of the platform. */
export interface Ledger {
  /** Executions whose start was answered. */
  acknowledged: Map<string, Kind>;
  /** Starts of which nobody knows whether they came through. */
  open: Asked[];
  /** SHA-256 of each result, as it was first given. */
  results: Map<string, string>;
  /** Idempotency keys with which the called system was called, by execution. */
  calls: Map<string, Set<string>>;
  problems: string[];
}

export function newLedger(): Ledger {
  return { acknowledged: new Map(), open: [], results: new Map(), calls: new Map(), problems: [] };
}

/** The system that `http` calls: it answers, and remembers who called. */
export async function calledSystem(ledger: Ledger): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { workflowId } = JSON.parse(body) as { workflowId: string };
    const keys = ledger.calls.get(workflowId) ?? new Set();
    ledger.calls.set(workflowId, keys.add(String(request.headers['idempotency-key'])));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"called":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

/** Calls the platform as its clients do. Network failures are expected: whoever calls has to cope. */
export function caller({ demo }: PlatformProcess, ledger: Ledger, calledUrl: string) {
  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetch(demo.baseUrl + path, {
      ...{ ...init, method, signal: AbortSignal.timeout(30_000) },
      headers: { Authorization: demo.organizationToken, ...init.headers },
    });

  async function start(asked: Asked): Promise<void> {
    const parameters = asked.kind === 'http' ? { url: calledUrl } : { key: asked.key };
    const answer = await call('POST', '/workflows', {
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': asked.key },
      body: JSON.stringify({ workflowDefinitionId: demo.definitions[asked.kind], parameters }),
    });
    const body = (await answer.json()) as { id: string };
    if (answer.status === 200) ledger.acknowledged.set(body.id, asked.kind);
    else if (answer.status < 500)
      ledger.problems.push(`a start was answered ${answer.status}: ${JSON.stringify(body)}`);
    else ledger.open.push(asked);
  }

  return {
    /** Starts executions until the platform is gone. */
    async startUntil(gone: AbortSignal, pause: number): Promise<void> {
      while (!gone.aborted) {
        const kind = (['echo', 'echo', 'echo', 'steps', 'http'] as const)[
          Math.floor(Math.random() * 5)
        ] as Kind;
        const asked = { key: randomUUID(), kind };
        await start(asked).catch(() => ledger.open.push(asked));
        await sleep(pause);
      }
    },

    /** Repeats the starts that were not answered, with their keys. */
    async repeatOpen(): Promise<number> {
      const asked = ledger.open.splice(0);
      for (const each of asked) await start(each).catch(() => ledger.open.push(each));
      return asked.length;
    },

    /** Reads a result and holds it against what was given before. @returns whether there was one */
    async readResult(id: string): Promise<boolean> {
      const answer = await call('GET', `/workflows/${id}/result`);
      const bytes = Buffer.from(await answer.arrayBuffer());
      if (answer.status === 404 && ledger.results.has(id))
        ledger.problems.push(`the result of ${id} is gone`);
      if (answer.status !== 200) return false;
      const digest = createHash('sha256').update(bytes).digest('hex');
      const before = ledger.results.get(id);
      if (before !== undefined && before !== digest) ledger.problems.push(`the result of ${id} has changed`);
      ledger.results.set(id, digest);
      return true;
    },
  };
}
