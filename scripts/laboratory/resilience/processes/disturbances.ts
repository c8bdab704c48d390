import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { calledSystem, caller, type Ledger, newLedger, type Target } from '../executions/load.ts';
import { openVerdict } from '../executions/verdict.ts';
import { openUpload, responseOf, uploadBody } from '../form.ts';
import type { TestResult } from '../results.ts';
import type { Installation, Member } from './installation.ts';

const longestRecovery = 10_000;
const longestEnd = 120_000;
const uploadBytes = 64 * 1024;

type Kind =
  | 'upgrade of a server'
  | 'upgrade of a worker'
  | 'SIGKILL of a server'
  | 'SIGKILL of a worker'
  | 'SIGTERM of a server'
  | 'SIGTERM of a worker'
  | 'restart of the database'
  | 'SIGSTOP of a worker'
  | 'failover to the standby';

/** Repeated in this order. */
const order: Kind[] = [
  'SIGKILL of a server',
  'SIGKILL of a worker',
  'restart of the database',
  'SIGKILL of a server',
  'SIGTERM of a worker',
  'SIGKILL of a worker',
  'SIGTERM of a server',
];

/**
 * Disturbs an installation under load, one process after another, and checks at the end that every acknowledged
 * execution and upload exists once.
 *
 * @param stops how often a worker is stopped for `stopSeconds` and continued
 */
export async function disturb(
  { members, database, isOutdated }: Installation,
  {
    cycles,
    stops,
    stopSeconds,
    progress,
    signal,
  }: {
    cycles: number;
    stops: number;
    stopSeconds: number;
    progress(line: string): void;
    signal: AbortSignal;
  },
): Promise<TestResult[]> {
  const ledger = newLedger();
  using called = await calledSystem(ledger);
  const uploads = new Map<string, string>();
  const ended = new AbortController();
  const servers = members.filter(({ target }) => target);
  const load = servers.flatMap(({ target }) => [
    caller(target as Target, ledger, called.url).startUntil(ended.signal, 100),
    caller(target as Target, ledger, called.url).startUntil(ended.signal, 100),
    uploadUntil(target as Target, uploads, ledger, ended.signal),
    retryUntil(target as Target, ledger, called.url, ended.signal),
  ]);
  const results = new Map<Kind, TestResult & { longest: number }>();
  try {
    const outdated = isOutdated ? [...members] : [];
    const kinds: Kind[] = [
      ...outdated.map(({ target }): Kind => (target ? 'upgrade of a server' : 'upgrade of a worker')),
      ...Array.from({ length: cycles }, (_, at) => order[at % order.length] as Kind),
      ...Array.from({ length: stops }, (): Kind => 'SIGSTOP of a worker'),
      ...(database.failOver ? (['failover to the standby'] as const) : []),
    ];
    for (const [at, kind] of kinds.entries()) {
      signal.throwIfAborted();
      await sleep(500 + Math.random() * 1_500);
      const since = await disturbOnce(kind, {
        member: outdated.shift() ?? anyOf(members, kind),
        database,
        stopSeconds,
      });
      const { seconds, obstacle, failure } = await recovery(servers, since);
      const result = results.get(kind) ?? { tried: kind, times: 0, failures: [], longest: 0 };
      result.times++;
      result.longest = Math.max(result.longest, seconds);
      if (failure) result.failures.push(failure);
      results.set(kind, result);
      progress(
        `${at + 1} of ${kinds.length}, ${kind}: ready after ${seconds.toFixed(1)} s ${obstacle}`.trimEnd(),
      );
    }
  } finally {
    ended.abort();
    await Promise.all(load);
  }
  const problems = await verdictOf({ servers, url: database.url, ledger, uploads, calledUrl: called.url });
  return [
    ...[...results.values()].map(({ longest, ...result }) => ({
      ...result,
      seen: `ready ${longest.toFixed(1)} s later at the latest`,
    })),
    {
      tried: 'executions and uploads that were acknowledged',
      times: ledger.acknowledged.size + uploads.size,
      seen: `${ledger.acknowledged.size} executions, ${uploads.size} uploads`,
      failures: problems,
    },
  ];
}

function anyOf(members: Member[], kind: Kind): Member {
  const some = members.filter(({ target }) => (target !== undefined) === kind.endsWith('server'));
  return some[Math.floor(Math.random() * some.length)] as Member;
}

/** @returns when the installation was complete again, and could begin to recover */
async function disturbOnce(
  kind: Kind,
  {
    member,
    database,
    stopSeconds,
  }: { member: Member; database: Installation['database']; stopSeconds: number },
): Promise<number> {
  if (kind === 'restart of the database') {
    await database.restart();
    return performance.now();
  }
  if (kind === 'failover to the standby') {
    await database.failOver?.();
    return performance.now();
  }
  if (kind === 'SIGSTOP of a worker') {
    const { pid } = member.current();
    process.kill(pid, 'SIGSTOP');
    await sleep(stopSeconds * 1000);
    process.kill(pid, 'SIGCONT');
    return performance.now();
  }
  const { kill, stop } = member.current();
  await (kind.startsWith('SIGKILL') ? kill() : stop());
  await member.start();
  return performance.now();
}

/** Waits until every server is ready. @returns also what was not ready last */
async function recovery(
  servers: Member[],
  since: number,
): Promise<{ seconds: number; obstacle: string; failure?: string }> {
  let obstacle = '';
  for (;;) {
    const obstacles = await Promise.all(servers.map(obstacleOf));
    const milliseconds = performance.now() - since;
    const seconds = milliseconds / 1000;
    const latest = obstacles.find((each) => each !== undefined);
    if (latest === undefined) {
      if (milliseconds <= longestRecovery) return { seconds, obstacle };
      return { seconds, obstacle, failure: `ready only after ${seconds.toFixed(1)} s: ${obstacle}` };
    }
    obstacle = latest;
    if (milliseconds > 6 * longestRecovery) throw new Error(`The servers do not become ready: ${obstacle}`);
    await sleep(100);
  }
}

/** @returns undefined if the server is ready */
async function obstacleOf({ target }: Member): Promise<string | undefined> {
  try {
    const url = `${target?.demo.baseUrl}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const text = await response.text();
    return response.status === 200 ? undefined : text;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

async function uploadUntil(
  target: Target,
  uploads: Map<string, string>,
  ledger: Ledger,
  gone: AbortSignal,
): Promise<void> {
  while (!gone.aborted) {
    const bytes = randomBytes(uploadBytes);
    try {
      const sending = openUpload(target, bytes.length);
      const responding = responseOf(sending);
      responding.catch(() => {});
      for await (const chunk of uploadBody([bytes])) sending.write(chunk);
      sending.end();
      const { response, text } = await responding;
      if (response.statusCode === 201)
        uploads.set(JSON.parse(text).resourceId, createHash('sha256').update(bytes).digest('hex'));
      else if (response.statusCode !== 503 || !response.headers['retry-after'])
        ledger.problems.push(`an upload returned ${response.statusCode}: ${text}`);
    } catch {
      // Its server was ended. It was not acknowledged.
    }
    await sleep(200);
  }
}

async function retryUntil(target: Target, ledger: Ledger, url: string, gone: AbortSignal): Promise<void> {
  const client = caller(target, ledger, url);
  while (!gone.aborted) {
    await client.retryOpen();
    const ids = [...ledger.acknowledged.keys()];
    const id = ids[Math.floor(Math.random() * ids.length)];
    if (id) await client.readResult(id).catch(() => {});
    await sleep(100);
  }
}

async function verdictOf({
  servers,
  url,
  ledger,
  uploads,
  calledUrl,
}: {
  servers: Member[];
  url: string;
  ledger: Ledger;
  uploads: Map<string, string>;
  calledUrl: string;
}): Promise<string[]> {
  const clients = servers.map(({ target }) => caller(target as Target, ledger, calledUrl));
  while (ledger.open.length > 0) await clients[0]?.retryOpen();
  await using verdict = await openVerdict(url, []);
  const started = performance.now();
  while ((await verdict.running()) > 0 && performance.now() - started < longestEnd) await sleep(200);
  const client = clients[1];
  for (const id of ledger.acknowledged.keys())
    if (!(await client?.readResult(id))) ledger.problems.push(`${id} has no result`);
  const { demo } = (servers[1] as Member).target as Target;
  for (const [id, digest] of uploads) {
    const response = await fetch(`${demo.baseUrl}/resources/${id}`, {
      headers: { Authorization: demo.organizationToken },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== digest)
      ledger.problems.push(`the upload ${id} is lost: ${response.status}`);
  }
  return [...new Set([...ledger.problems, ...(await verdict.problems(ledger))])];
}
