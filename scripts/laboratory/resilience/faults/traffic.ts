import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { caller, type Ledger, type Target } from '../executions/load.ts';
import { openVerdict } from '../executions/verdict.ts';
import type { Receiver } from './receiver.ts';

const uploadBytes = 64 * 1024;
const longestEnd = 120_000;

/** What became of the requests of some seconds. */
export interface Outcomes {
  succeeded: number;
  /** 503 with `Retry-After`. */
  refused: number;
  /** Anything else that is not a success: the request and what happened. */
  failed: string[];
  /** The executions and uploads that were acknowledged. */
  ids: string[];
}

/** Callers that keep a record of their own of what was acknowledged. */
export interface Traffic {
  /** The outcomes since the last call. */
  takeOutcomes(): Outcomes;
  /** Ends the callers. */
  stop(): Promise<unknown>;
  /**
   * Waits for the executions and their webhooks.
   *
   * @param ends the events that were received of each execution's end
   * @returns each broken promise, with the object that it is about
   */
  problems(databaseUrl: string, ends: Receiver['ends']): Promise<{ id: string; problem: string }[]>;
}

/** Starts executions, uploads files, reads and retries what got no response, without a pause for the platform. */
export function startTraffic(target: Target, ledger: Ledger, calledUrl: string): Traffic {
  const ended = new AbortController();
  /** SHA-256 of each upload. */
  const uploads = new Map<string, string>();
  const started = () => [...ledger.acknowledged.keys()];
  const taken = { started: 0, uploads: 0 };
  let outcomes = noOutcomes();
  const client = caller(target, ledger, calledUrl, (request, outcome) => {
    if (outcome instanceof Error) outcomes.failed.push(`${request}: ${outcome.cause ?? outcome}`);
    else if (outcome.status === 503 && outcome.headers.has('Retry-After')) outcomes.refused++;
    else if (outcome.status >= 400 && !isPending(request, outcome))
      outcomes.failed.push(`${request}: ${outcome.status}`);
    else outcomes.succeeded++;
  });

  const repeat = async (pause: number, send: () => Promise<unknown>) => {
    while (!ended.signal.aborted) {
      // What failed is in the outcomes.
      await send().catch(() => {});
      await sleep(pause);
    }
  };
  const upload = async () => {
    const bytes = randomBytes(uploadBytes);
    const body = new FormData();
    body.append('file', new File([bytes], 'a.bin'));
    const response = await client.call('POST', '/resources', { body });
    const answer = (await response.json()) as { resourceId: string };
    if (response.status === 201) uploads.set(answer.resourceId, digestOf(bytes));
  };
  const readAnyResult = async () => {
    const ids = started();
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (id) await client.readResult(id);
  };
  const readList = async () => {
    await (await client.call('GET', '/organizations/users?size=2')).arrayBuffer();
  };
  const callers = Promise.all([
    client.startUntil(ended.signal, 100),
    client.startUntil(ended.signal, 100),
    repeat(150, upload),
    repeat(100, client.retryOpen),
    repeat(100, readAnyResult),
    repeat(50, readList),
  ]);

  return {
    takeOutcomes() {
      const ids = [...started().slice(taken.started), ...[...uploads.keys()].slice(taken.uploads)];
      taken.started = ledger.acknowledged.size;
      taken.uploads = uploads.size;
      const since = { ...outcomes, ids };
      outcomes = noOutcomes();
      return since;
    },
    stop() {
      ended.abort();
      return callers;
    },
    async problems(databaseUrl, ends) {
      const since = performance.now();
      while (ledger.open.length > 0 && performance.now() - since < longestEnd) {
        await client.retryOpen();
        await sleep(100);
      }
      await using verdict = await openVerdict(databaseUrl, []);
      const isOpen = async () => (await verdict.running()) > 0 || started().some((id) => !ends.has(id));
      while ((await isOpen()) && performance.now() - since < longestEnd) await sleep(200);
      const lost: string[] = [];
      for (const id of started()) {
        if (!(await client.readResult(id))) lost.push(`${id} has no result`);
        const events = ends.get(id)?.size ?? 0;
        if (events !== 1) lost.push(`${id} has ${events} webhooks of its end`);
      }
      for (const [id, digest] of uploads) {
        const response = await client.call('GET', `/resources/${id}`);
        if (digestOf(Buffer.from(await response.arrayBuffer())) !== digest)
          lost.push(`${id} is lost: its download is ${response.status}`);
      }
      const unanswered = ledger.open.map(({ key }) => `${key} is the key of a start that got no response`);
      const problems = new Set([
        ...ledger.problems,
        ...(await verdict.problems(ledger)),
        ...lost,
        ...unanswered,
      ]);
      return [...problems].map((problem) => ({ id: problem.split(' ', 1)[0] as string, problem }));
    },
  };
}

const noOutcomes = (): Omit<Outcomes, 'ids'> => ({ succeeded: 0, refused: 0, failed: [] });

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The result of an execution that runs does not exist yet; a start whose first request is still carried out is 409. */
function isPending(request: string, { status }: Response): boolean {
  return (status === 404 && request.endsWith('/result')) || (status === 409 && request === 'POST /workflows');
}
