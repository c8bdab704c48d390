import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { findPostgres } from '../../../../server/embedded-postgres/index.ts';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import { type PlatformProcess, startPlatform } from '../platform.ts';
import type { TestResult } from '../results.ts';
import { differencesOf, openClient, readStored } from '../stored.ts';
import { clientOf, type Outcome, problemOf } from './changes.ts';
import type { Volume } from './volume.ts';

const uploadBytes = 1 << 20;
const parameterBytes = 60_000;
/** Starts until the database needs a new page. */
const mostStarts = 1_000;
/** Executions of many steps that run when the disk becomes full. */
const runningExecutions = 20;
/** How long the platform may take to work again when there is room. */
const longestRecovery = 60_000;
/** `/readyz` keeps a result for some seconds. */
const longestReadiness = 10_000;

const fullDatabase = [
  'the disk of the production database is full',
  'the disk of the sandbox database is full',
];
const fullBlobStore = [
  'the production blob store cannot be written',
  'the sandbox blob store cannot be written',
];

interface TestContext {
  /** Of the results. */
  disk: string;
  /** What `/readyz` names while the disk is full. */
  reasons: string[];
  platform: PlatformProcess;
  dataDirectory: string;
  volume: Volume;
  uploads: number;
  /** Executions whose start got a response. */
  started: string[];
  signal: AbortSignal | undefined;
}

interface Options {
  uploads: number;
  progress?: (line: string) => void;
  signal?: AbortSignal;
}

/**
 * Fills the file system of the platform: no room for files, for tables, and for PostgreSQL's log. Then that of the
 * database alone.
 */
export async function testDiskFull(volume: Volume, options: Options): Promise<TestResult[]> {
  await using files = await temporaryDirectory('files');
  const shared = join(volume.directory, 'shared');
  const separate = join(volume.directory, 'separate');
  const everything = await testEach(
    { volume, dataDirectory: shared, disk: 'a full disk', reasons: [...fullDatabase, ...fullBlobStore] },
    [uploadsWithoutRoom, startsWithoutRoom, logWithoutRoom, everythingKept],
    options,
  );
  await rm(shared, { recursive: true, maxRetries: 5, retryDelay: 200 });
  await mkdir(separate);
  await symlink(files.path, join(separate, 'blobs'));
  const database = await testEach(
    { volume, dataDirectory: separate, disk: 'a full disk of the database', reasons: fullDatabase },
    [startsWithoutRoom, everythingKept],
    options,
  );
  return [...everything, ...database];
}

async function testEach(
  place: Pick<TestContext, 'volume' | 'dataDirectory' | 'disk' | 'reasons'>,
  steps: ((context: TestContext) => Promise<TestResult>)[],
  { uploads, progress = () => {}, signal }: Options,
): Promise<TestResult[]> {
  await using platform = await startPlatform(place.dataDirectory);
  await reserveLog(place.dataDirectory);
  const context = { ...place, platform, uploads, started: [], signal };
  const results: TestResult[] = [];
  for (const test of steps) {
    const result = await test(context).catch((error: unknown) => {
      throw new Error(`${test.name} failed. The platform printed: ${platform.output()}`, { cause: error });
    });
    results.push(result);
    progress(`${result.tried}: done`);
  }
  return results;
}

async function uploadsWithoutRoom(context: TestContext): Promise<TestResult> {
  const { platform, dataDirectory, volume, uploads, signal, disk } = context;
  const client = clientOf(platform);
  const failures = [...problemOf('an upload with room', await client.upload(uploadBytes))];
  const before = await readStored(dataDirectory);
  await volume.fill();
  for (let upload = 0; upload < uploads; upload++) {
    signal?.throwIfAborted();
    const outcome = await client.upload(uploadBytes);
    failures.push(...problemOf('an upload without room', outcome));
    if (outcome.status < 300) failures.push('an upload without room was stored');
  }
  failures.push(...differencesOf(before, await readStored(dataDirectory)), ...(await staysUp(context)));
  await volume.makeRoom();
  const recovery = await recoveryOf(context, 'an upload', () => client.upload(uploadBytes));
  return {
    tried: `upload to ${disk}`,
    times: uploads,
    seen: recovery.seen,
    failures: [...failures, ...recovery.failures],
  };
}

async function startsWithoutRoom(context: TestContext): Promise<TestResult> {
  const { platform, dataDirectory, volume, uploads, started, disk } = context;
  for (let running = 0; running < runningExecutions; running++)
    started.push(idOf(await clientOf(platform).start(1, 'steps')));
  await volume.fill();
  const { outcomes, failures } = await startUntilRefused(context, uploads);
  if (outcomes.every(({ status }) => status < 300)) failures.push('the database never ran out of room');
  failures.push(...(await survivesCheckpoint(dataDirectory)), ...(await staysUp(context)));
  await volume.makeRoom();
  const recovery = await recoveryOf(context, 'a start', () => clientOf(platform).start(parameterBytes));
  return {
    tried: `start of an execution on ${disk}`,
    times: outcomes.length,
    seen: recovery.seen,
    failures: [...failures, ...recovery.failures],
  };
}

/** PostgreSQL exits if it cannot write its log; the platform restarts it until there is room. */
async function logWithoutRoom(context: TestContext): Promise<TestResult> {
  const { platform, dataDirectory, volume } = context;
  const client = clientOf(platform);
  const failures: string[] = [];
  const administrator = await openAdministrator(dataDirectory);
  await volume.fill();
  try {
    const hasExited = await useUpLog(administrator, () => volume.fill());
    if (!hasExited) failures.push('PostgreSQL never ran out of room for its log');
  } finally {
    await administrator.end().catch(() => {});
  }
  const outcomes: Outcome[] = [];
  for (let start = 0; start < 5; start++) {
    const outcome = await client.start(1);
    outcomes.push(outcome);
    failures.push(...problemOf('a start without a database', outcome));
  }
  failures.push(...(await staysAlive(platform)));
  await volume.makeRoom();
  const recovery = await recoveryOf(context, 'a start', () => client.start(1));
  return {
    tried: "no room for PostgreSQL's log",
    times: 1,
    seen: `${outcomes.filter(({ status }) => status === 503).length} of ${outcomes.length} starts refused, ${recovery.seen}`,
    failures: [...failures, ...recovery.failures],
  };
}

/** Every acknowledged execution ends, and the files are those of the rows. */
async function everythingKept({ platform, dataDirectory, started, disk }: TestContext): Promise<TestResult> {
  const client = clientOf(platform);
  const failures: string[] = [];
  const deadline = performance.now() + longestRecovery;
  for (const id of started) {
    let status = '';
    while (status !== 'COMPLETED' && performance.now() < deadline) {
      const { body } = await client.execution(id);
      status = (JSON.parse(body) as { status?: string }).status ?? body;
      if (status !== 'COMPLETED') await sleep(100);
    }
    if (status !== 'COMPLETED') failures.push(`the execution ${id} is ${status}`);
  }
  const { files, rows } = await storedAfterRecovery(dataDirectory, deadline);
  if (files.length !== rows) failures.push(`there are ${files.length} files of ${rows} rows`);
  const code = await platform.stop();
  if (code !== 0) failures.push(`the platform ended with ${code}: ${platform.output()}`);
  return { tried: `an execution started on ${disk} ends`, times: started.length, failures };
}

/** Reads what is stored once PostgreSQL has recovered; on a busy machine, no started execution may have waited for that. */
async function storedAfterRecovery(dataDirectory: string, deadline: number) {
  for (;;) {
    try {
      return await readStored(dataDirectory);
    } catch (error) {
      const isRecovering = (error as { code?: string }).code === '57P03';
      if (!isRecovering || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

function idOf({ body }: Outcome): string {
  return (JSON.parse(body) as { id: string }).id;
}

async function startUntilRefused(
  { platform, started, signal }: TestContext,
  afterwards: number,
): Promise<{ outcomes: Outcome[]; failures: string[] }> {
  const client = clientOf(platform);
  const outcomes: Outcome[] = [];
  const failures: string[] = [];
  let refused = 0;
  while (outcomes.length < mostStarts && refused < afterwards) {
    signal?.throwIfAborted();
    const outcome = await client.start(parameterBytes);
    outcomes.push(outcome);
    if (outcome.status < 300) started.push(idOf(outcome));
    else refused++;
    failures.push(...problemOf('a start without room', outcome));
  }
  return { outcomes, failures };
}

/** Reads succeed until PostgreSQL has no room for its log, and `/readyz` names what is full. */
async function staysUp({ platform, reasons }: TestContext): Promise<string[]> {
  const client = clientOf(platform);
  return [
    ...problemOf('a read on a full disk', await client.read()),
    ...(await staysAlive(platform)),
    ...(await namesExactly(reasons, platform)),
  ];
}

/** Runs a checkpoint, as PostgreSQL does every few minutes: it may fail, but must not end the server. */
async function survivesCheckpoint(dataDirectory: string): Promise<string[]> {
  const administrator = await openAdministrator(dataDirectory);
  try {
    await administrator.query('checkpoint').catch(() => {});
    await administrator.query('select');
    return [];
  } catch (error) {
    return [`a checkpoint on a full disk ended PostgreSQL: ${(error as Error).message}`];
  } finally {
    await administrator.end().catch(() => {});
  }
}

async function staysAlive(platform: PlatformProcess): Promise<string[]> {
  const { status } = await clientOf(platform).isAlive();
  return status === 200 ? [] : [`/healthz on a full disk returned ${status}`];
}

async function namesExactly(reasons: readonly string[], platform: PlatformProcess): Promise<string[]> {
  const expected = reasons.toSorted().join(', ');
  const deadline = performance.now() + longestReadiness;
  for (;;) {
    const named = (await clientOf(platform).notReady()).toSorted().join(', ');
    if (named === expected) return [];
    if (performance.now() > deadline) return [`/readyz names "${named}" instead of "${expected}"`];
    await sleep(200);
  }
}

/** Repeats a change until it succeeds. */
async function recoveryOf(
  { platform, started, signal }: TestContext,
  what: string,
  change: () => Promise<Outcome>,
): Promise<{ seen: string; failures: string[] }> {
  const startedAt = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const outcome = await change();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (outcome.status < 300) {
      const { id } = JSON.parse(outcome.body) as { id?: string };
      if (id) started.push(id);
      const failures = await namesExactly([], platform);
      return { seen: `works again ${seconds} s after there is room`, failures };
    }
    if (performance.now() - startedAt > longestRecovery)
      return {
        seen: '',
        failures: [`${what} still returned ${outcome.status} ${seconds} s after there was room`],
      };
    await sleep(200);
  }
}

async function openAdministrator(dataDirectory: string): Promise<pg.Client> {
  const server = await findPostgres({ dataDirectory });
  if (!server) throw new Error('No platform runs on that data directory.');
  return openClient(server.administratorConnectionString);
}

const endSegment = "select pg_logical_emit_message(true, 'prove', 'x'), pg_switch_wal()";
/** Log segments of 16 MiB each: more than all refused changes take. */
const reservedSegments = 3;

/** A checkpoint makes the segments of the log that have ended the next ones. Without them, where the log is decides. */
async function reserveLog(dataDirectory: string): Promise<void> {
  const administrator = await openAdministrator(dataDirectory);
  for (let segment = 0; segment < reservedSegments; segment++) await administrator.query(endSegment);
  await administrator.query('checkpoint');
  await administrator.end();
}

/** Ends log segments until PostgreSQL has none left and exits. @returns whether it did */
async function useUpLog(administrator: pg.Client, fillAgain: () => Promise<void>): Promise<boolean> {
  for (let segment = 0; segment < 100; segment++) {
    try {
      await administrator.query(endSegment);
    } catch {
      return true;
    }
    await fillAgain();
  }
  return false;
}
