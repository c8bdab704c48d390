import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import { calledSystem, caller, newLedger } from '../executions/load.ts';
import { demoExecutions, openVerdict } from '../executions/verdict.ts';
import { startPlatform } from '../platform.ts';
import type { TestResult } from '../results.ts';
import { inDatabase, readStored } from '../stored.ts';
import { type Sent, sendLoad } from './load.ts';

/** The time in which the platform exits, as spec/guides/operations.md documents it. */
const longestExit = 8_000;
const longestRecovery = 60_000;

/**
 * Ends the platform with SIGTERM under load.
 *
 * A request is accepted if
 * - its headers were handed to its connection before the signal was sent, or
 * - its response began, unless this is a 503 with `Retry-After` to a request sent after the signal, or
 * - the platform has carried it out: its `Idempotency-Key` is stored.
 *
 * An accepted request must get its whole response with a status below 500. Any other may fail in any way.
 */
export async function drainCycles({
  cycles,
  progress = () => {},
  signal,
}: {
  cycles: number;
  progress?: (line: string) => void;
  signal?: AbortSignal;
}): Promise<TestResult> {
  await using data = await temporaryDirectory('drain');
  const { path: dataDirectory } = data;
  const ledger = newLedger();
  using called = await calledSystem(ledger);
  const failures: string[] = [];
  const stored: string[] = [];
  let requests = 0;
  let unread = 0;
  let slowestExit = 0;
  let platform = await startPlatform(dataDirectory);
  try {
    const demo = await demoExecutions(dataDirectory);
    for (let cycle = 1; cycle <= cycles; cycle++) {
      signal?.throwIfAborted();
      await caller(platform, ledger, called.url).retryOpen();
      const load = await sendLoad(platform, ledger, called.url);
      await sleep(300 + Math.random() * 1_200);
      const signalledAt = performance.now();
      const code = await platform.stop();
      const milliseconds = performance.now() - signalledAt;
      await load.ended;
      slowestExit = Math.max(slowestExit, milliseconds);
      if (code !== 0) failures.push(`cycle ${cycle}: exit code ${code}: ${platform.output()}`);
      if (milliseconds > longestExit)
        failures.push(`cycle ${cycle}: exited after ${Math.round(milliseconds)} ms`);
      failures.push(...load.sent.flatMap((sent) => problemOf(sent, signalledAt, cycle)));
      requests += load.sent.length;
      unread += load.sent.filter(({ error }) => error !== undefined && error !== 'ECONNREFUSED').length;
      stored.push(...load.stored);
      progress(`cycle ${cycle}: ${load.sent.length} requests, exited after ${Math.round(milliseconds)} ms`);
      platform = await startPlatform(dataDirectory);
      // Before any of them is retried.
      failures.push(...(await carriedOut(dataDirectory, load.sent)));
    }
    failures.push(...(await missingFiles(dataDirectory, stored)));
    await caller(platform, ledger, called.url).retryOpen();
    await using verdict = await openVerdict(dataDirectory, demo);
    const deadline = performance.now() + longestRecovery;
    while ((await verdict.running()) > 0 && performance.now() < deadline) await sleep(100);
    failures.push(...new Set([...ledger.problems, ...(await verdict.problems(ledger))]));
    return {
      tried: `SIGTERM under load, ${requests} requests`,
      times: cycles,
      seen:
        `exit within ${Math.round(slowestExit)} ms, ${ledger.acknowledged.size} executions, ` +
        `${stored.length} uploads, ${unread} connections closed before their request was read`,
      failures,
    };
  } finally {
    await platform.kill();
  }
}

/** Why an accepted request failed. */
function problemOf(
  { what, sentAt, status, retryAfter, isComplete, error }: Sent,
  signalledAt: number,
  cycle: number,
): string[] {
  const isEarly = sentAt !== undefined && sentAt < signalledAt;
  const isDeferred = status === 503 && retryAfter !== undefined && !isEarly;
  const isAccepted = isEarly || (status !== undefined && !isDeferred);
  if (!isAccepted || (isComplete && (status as number) < 400)) return [];
  const after = sentAt === undefined ? '' : `, sent ${Math.round(sentAt - signalledAt)} ms after the signal`;
  const outcome = status === undefined ? 'no response' : `${status}${isComplete ? '' : ', broken off'}`;
  return [`cycle ${cycle}: ${what}${after}: ${outcome}${error ? ` (${error})` : ''}`];
}

/** Requests without a whole response that the platform has carried out. */
async function carriedOut(dataDirectory: string, sent: readonly Sent[]): Promise<string[]> {
  const keys = sent.flatMap(({ key, isComplete }) => (key && !isComplete ? [key] : []));
  const { rows } = await inDatabase(dataDirectory, (client) =>
    client.query<{ key: string }>('select key from production.idempotency_keys where key = any($1)', [keys]),
  );
  return rows.map(({ key }) => `the request with the key ${key} was carried out, but got no whole response`);
}

/** Every upload with a response has its row, and every row its file. */
async function missingFiles(dataDirectory: string, paths: readonly string[]): Promise<string[]> {
  const { rows } = await inDatabase(dataDirectory, (client) =>
    client.query<{ id: string }>('select id::text from production.resources'),
  );
  const ids = new Set(rows.map(({ id }) => id));
  const lost = paths.filter((path) => !ids.has(path.split('/').at(-1) as string));
  const stored = await readStored(dataDirectory);
  return [
    ...lost.map((path) => `the upload ${path} is lost`),
    ...(stored.files.length === stored.rows
      ? []
      : [`there are ${stored.files.length} files of ${stored.rows} rows`]),
  ];
}
