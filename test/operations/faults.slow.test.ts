import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { startProcess } from '../../scripts/laboratory/resilience/platform.ts';
import { startPostgres } from '../../server/embedded-postgres/index.ts';
import { openJobs } from '../../server/src/jobs/jobs.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { createActors } from '../support/actors.ts';
import { definitionOf } from '../support/definitions.ts';
import { executionsOf } from '../support/executions.ts';
import { given as adders } from '../support/given.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { startPrometheus } from './prometheus-process.ts';

vi.setConfig({ testTimeout: scaledTimeout(120_000) });
const polling = { timeout: scaledTimeout(60_000), interval: 250 };

/** `wrp serve` and `wrp work` on a PostgreSQL of their own, and Prometheus, if this machine has it. */
const directory = mkdtempSync(join(temporaryRoot(), 'wrp-faults-'));
const postgres = await startPostgres({ dataDirectory: join(directory, 'database'), fsync: false });
let isStopped = false;
const stopPostgres = async () => {
  if (!isStopped) await postgres.stop();
  isStopped = true;
};
atEnd(stopPostgres);
const [port, sandboxPort, serving, working, closed, late] = (await Promise.all(
  Array.from({ length: 6 }, freePort),
)) as [number, number, number, number, number, number];
const settings = {
  DATABASE_URL: postgres.connectionString,
  DATA_DIR: directory,
  SERVER_KEY: 'test'.repeat(11),
  PORT: `${port}`,
  SANDBOX_PORT: `${sandboxPort}`,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SANDBOX_PUBLIC_URL: `http://127.0.0.1:${sandboxPort}`,
  SMTP_URL: `smtp://127.0.0.1:${closed}`,
  MAIL_FROM: 'Claims <claims@example.com>',
};
const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
const start = (command: string, metricsPort: number, own: Record<string, string>) =>
  startProcess([process.execPath, launcher, command], {
    ...settings,
    METRICS_PORT: `${metricsPort}`,
    ...own,
  });
const alerts = await startPrometheus([serving, working]);
const [server, worker] = await Promise.all([
  start('serve', serving, { BUILD_COMMIT: 'one' }),
  start('work', working, { BUILD_COMMIT: 'one' }),
]);
atEnd(async () => void (await Promise.all([server.kill(), worker.kill()])));
const scrape = async (metricsPort: number) => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
const [ofServer, ofWorker] = [await scrape(serving), await scrape(working)];

const connection = postgres.connectionString;
const database = openDatabase({ connection, schema: 'production', poolSize: 2 });
const { world, ...given } = await adders(database, { now: () => new Date(), forward: () => {} });
const jobs = await openJobs({
  connection,
  logger: openLogger('silent'),
  works: false,
  schema: 'production_jobs',
});
const { owner } = createActors(settings.PUBLIC_URL, world);

/** The value of a series of production, by some of its labels; undefined: there is none. */
async function sampleOf(metricsPort: number, name: string, ...labels: string[]): Promise<number | undefined> {
  const found = (await scrape(metricsPort))
    .split('\n')
    .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)));
  return found === undefined ? undefined : Number(found.slice(found.lastIndexOf(' ')));
}
const production = 'environment="production"';
const part = (name: string, metricsPort = serving) =>
  sampleOf(metricsPort, 'wrp_part_ready', production, `part="${name}"`);
const ready = async (metricsPort = serving) =>
  Number(/^wrp_ready (\d)$/m.exec(await scrape(metricsPort))?.[1]);

/** Waits until the alert fires for production or for a process, where there is a Prometheus. */
async function expectAlert(name: string): Promise<void> {
  if (!alerts) return;
  const isFiring = async () =>
    (await alerts())[name]?.some(({ environment = 'production' }) => environment === 'production') ?? false;
  await expect.poll(isFiring, { ...polling, message: `the alert ${name}` }).toBe(true);
}

test.each([
  ['serve', ofServer],
  ['work', ofWorker],
])('every counter of wrp %s that has just started has series, all at 0', (command, text) => {
  const counters = [...text.matchAll(/^# TYPE (wrp_\w+) counter$/gm)].map(([, name = '']) => name);
  expect(counters.length).toBeGreaterThanOrEqual(5);
  for (const name of counters) {
    const values = [...text.matchAll(new RegExp(`^${name}{.*} (.*)$`, 'gm'))].map(([, value]) => value);
    // A worker has no public port.
    const isOfRequests = name === 'wrp_requests_total' || name === 'wrp_refusals_total';
    const isExpected = command === 'serve' || !isOfRequests;
    expect(new Set(values), name).toEqual(new Set(isExpected ? ['0'] : []));
  }
});

test('without faults, no alert fires', async () => {
  await expect.poll(() => ready(), polling).toBe(1);
  if (alerts) await expect.poll(async () => Object.keys(await alerts()), polling).toEqual([]);
});

test('a failing execution moves the metric of its definition', async () => {
  const definition = definitionOf({ Broken: { Type: 'Fail', Error: 'Broken' } });
  const { id } = await given.workflowDefinition({ workspace: world.workspace, definition });
  const executions = executionsOf(owner);
  await executions.ended(await executions.start({ workflowDefinitionId: id }), 'FAILED');
  await expect
    .poll(() => sampleOf(serving, 'wrp_definition_executions_failed', `definition="${id}"`), polling)
    .toBe(1);
  await expectAlert('ExecutionsFailing');
});

test('a mail server that is down moves the metrics of mail', async () => {
  const workspaceId = world.workspace.id;
  await jobs.enqueue(database, 'mail', {
    to: 'ada@example.com',
    subject: 'Hello',
    text: 'Hello',
    workspaceId,
  });
  const failed = () => sampleOf(working, 'wrp_mails_total', production, 'outcome="failed"');
  await expect.poll(failed, polling).toBeGreaterThan(0);
  await expectAlert('MailFailing');
  await expect
    .poll(() => sampleOf(serving, 'wrp_jobs', production, 'queue="mail"', 'state="deferred"'), polling)
    .toBe(1);
  await expectAlert('MailWaiting');
});

const files = join(directory, 'blobs', 'production');

test('a sweep that fails moves its counter', async () => {
  const mark = join(files, 'store-id');
  await rename(mark, `${mark}-away`);
  await jobs.enqueue(database, 'blob-sweep', {});
  await expect
    .poll(() => sampleOf(working, 'wrp_blob_sweeps_total', production, 'outcome="failed"'), polling)
    .toBe(1);
  await rename(`${mark}-away`, mark);
  await expectAlert('BlobSweepFailed');
});

test('a file store that is gone is not ready, and counts the uploads that fail', async () => {
  await rename(files, `${files}-away`);
  await expect.poll(() => part('blob_store'), polling).toBe(0);
  await expect.poll(() => part('blob_store', working), polling).toBe(0);
  expect([await ready(), await part('database')]).toEqual([0, 1]);
  await owner.POST('/resources', { body: { file: new File(['x'], 'x') } });
  const failures = (await scrape(serving)).match(/^wrp_requests_total{.*status="5\d\d"} [1-9]\d*$/gm);
  expect(failures).toHaveLength(1);
  for (const name of ['FileStoreDown', 'NotReady', 'InternalErrors']) await expectAlert(name);
  await rename(`${files}-away`, files);
  await expect.poll(() => ready(), polling).toBe(1);
});

test('processes of two commits are counted', async () => {
  await worker.stop();
  await expectAlert('ProcessDown');
  const other = await start('work', working, { BUILD_COMMIT: 'two' });
  atEnd(async () => void (await other.kill()));
  expect(await sampleOf(working, 'wrp_build_info', 'commit="two"')).toBe(1);
  await expectAlert('SeveralVersions');
});

test('a database that is down without traffic is not ready, and what is read from it is missing', async () => {
  await database.destroy();
  await jobs.stop();
  expect(await sampleOf(serving, 'wrp_jobs', production)).toBeDefined();
  await stopPostgres();
  for (const name of ['database', 'job_queue']) await expect.poll(() => part(name), polling).toBe(0);
  expect([await ready(), await part('blob_store')]).toEqual([0, 1]);
  await expect.poll(() => sampleOf(serving, 'wrp_jobs', production), polling).toBeUndefined();
  expect(await sampleOf(serving, 'wrp_build_info')).toBe(1);
  for (const name of ['DatabaseDown', 'NotReady', 'MetricsMissing']) await expectAlert(name);
});

test('a process that starts without a database is not ready from the first moment', async () => {
  const child: ChildProcess = spawn(process.execPath, [launcher, 'work'], {
    env: { ...process.env, ...settings, METRICS_PORT: `${late}` },
    stdio: 'ignore',
  });
  atEnd(async () => void child.kill('SIGKILL'));
  const first = () => ready(late).catch(() => undefined);
  await expect.poll(first, polling).toBe(0);
  for (const name of ['database', 'disk', 'blob_store', 'job_queue']) expect(await part(name, late)).toBe(0);
});
