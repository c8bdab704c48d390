import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type Listener, listen, securityHeaders } from '../../http-server/index.ts';
import type { ConnectionPool } from '../../postgres-client/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { JobQueue } from '../jobs/jobs.ts';
import { healthOf, type Obstacle } from '../pages/health.ts';
import type { DatabaseClock } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { readWorkload } from '../store/monitoring.ts';
import { executionStatuses } from '../store/schema.ts';
import { type Counters, openCounters } from './counters.ts';
import { exportBuild, exportReadiness } from './process-state.ts';

export interface Metrics extends Counters {
  /** Adds the state of the platform, from now on. @param obstacles as for `health` */
  monitor(monitored: Monitored, obstacles: () => Promise<Obstacle[]>): void;
  /** The metrics of now. */
  read(): Promise<Registry>;
  /** Serves `/metrics` in the Prometheus text format, and `/healthz` and `/readyz`, for processes without other ports. */
  listen(host: string, port: number): Promise<Listener>;
}

/** Metrics of requests, of the state of the platform and of the process. @param commit see `BUILD_COMMIT` */
export function openMetrics(commit?: string): Metrics {
  const headers = securityHeaders();
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const built = exportBuild(registry, commit);
  const updateReadiness = exportReadiness(registry);
  let update = async () => {};
  let obstaclesNow = async (): Promise<Obstacle[]> => [{ reason: 'the platform is starting' }];
  const read = async () => {
    await Promise.all([built, update(), obstaclesNow().then(updateReadiness)]);
    return registry;
  };
  return {
    ...openCounters(registry),
    monitor(monitored, obstacles) {
      update = collection(registry, monitored);
      obstaclesNow = obstacles;
    },
    read,
    listen: (host, port) =>
      listen({ host, port, settings, headers }, async (request, response) => {
        const send = (status: number, type: string, body: string, own: object = {}) =>
          response.writeHead(status, { ...headers, 'Content-Type': type, ...own }).end(body);
        if (request.url === '/metrics') {
          return send(200, registry.contentType, await (await read()).metrics());
        }
        if (request.url !== '/healthz' && request.url !== '/readyz')
          return response.writeHead(404, headers).end();
        const {
          status,
          headers: own,
          body,
        } = healthOf(request.url === '/readyz' ? await obstaclesNow() : undefined);
        return send(status, 'application/json', JSON.stringify(body), own);
      }),
  };
}

/** What is read from the database is kept this long, however often it is scraped. */
const keptMilliseconds = 5_000;
/** A scrape does not wait longer; what takes longer is missing. */
const timeoutMilliseconds = 3_000;

interface MonitoredEnvironment {
  name: EnvironmentName;
  requestDatabase: Database;
  /** The connections of this process, by purpose. */
  pools: Partial<Record<'requests' | 'executions' | 'webhooks', ConnectionPool>>;
  jobs: Pick<JobQueue, 'counts'>;
}

/** What the metrics describe. */
interface Monitored {
  environments: MonitoredEnvironment[];
  dataDirectory: string;
  clock: Pick<DatabaseClock, 'skewSeconds'>;
  now(): Date;
}

/**
 * Registers metrics of the state of the platform, which are read when they are scraped.
 *
 * @returns a function that updates them
 */
function collection(registry: Registry, monitored: Monitored): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames: ['environment', ...labelNames], registers: [registry] });
  const connections = gauge(
    'wrp_database_connections',
    'Connections to the database of this process.',
    ...(['purpose', 'state'] as const),
  );
  const connectionLimit = gauge(
    'wrp_database_connections_max',
    'Maximum number of connections to the database of this process.',
    'purpose',
  );
  const waiting = gauge(
    'wrp_database_waiting',
    'Callers of this process that wait for a connection to the database.',
    'purpose',
  );
  const refused = new Counter({
    name: 'wrp_database_refused_total',
    help: 'Callers of this process that were refused a connection; requests among them got 503.',
    labelNames: ['environment', 'purpose'],
    registers: [registry],
  });
  const jobs = gauge('wrp_jobs', 'Jobs of all processes.', ...(['queue', 'state'] as const));
  const jobAge = gauge(
    'wrp_job_waiting_seconds',
    'How long the next job of a queue has been due; 0 if there is none.',
    'queue',
  );
  const executions = gauge(
    'wrp_executions',
    'Executions that are RUNNING, and those that ended within the last minute by status.',
    'status',
  );
  const definitionFailures = gauge(
    'wrp_definition_executions_failed',
    'Failed executions of a definition, of the last 10,000 that ended within an hour. Of the 20 definitions with most failures; the others are one, other.',
    ...(['definition', 'name'] as const),
  );
  const definitionEnds = gauge(
    'wrp_definition_executions_ended',
    'All executions among which wrp_definition_executions_failed counts the failed ones.',
    ...(['definition', 'name'] as const),
  );
  const unrelayed = gauge('wrp_events_unrelayed', 'Events for which no webhook deliveries exist yet.');
  const deliveries = gauge(
    'wrp_webhook_deliveries',
    'Open webhook deliveries: due, or scheduled for a later attempt.',
    'state',
  );
  const failingEndpoints = gauge(
    'wrp_webhook_endpoints_failing',
    'Webhook endpoints of which most of the last 20 attempts failed.',
  );
  const diskFree = new Gauge({
    name: 'wrp_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR.',
    registers: [registry],
  });
  const diskSize = new Gauge({
    name: 'wrp_disk_size_bytes',
    help: 'Size of the disk of DATA_DIR.',
    registers: [registry],
  });

  const clockSkew = new Gauge({
    name: 'wrp_clock_skew_seconds',
    help: "How far the clock of this machine is ahead of the database's; negative: behind.",
    registers: [registry],
  });
  const readFromDatabase = [
    ...[jobs, jobAge, executions, definitionFailures, definitionEnds],
    ...[unrelayed, deliveries, failingEndpoints],
  ];
  const collectPools = () => {
    clockSkew.set(monitored.clock.skewSeconds());
    refused.reset();
    for (const { name: environment, pools } of monitored.environments)
      for (const [purpose, pool] of Object.entries(pools)) {
        const { max, inUse, idle, waiting: callers, refused: refusals } = pool.usage();
        connectionLimit.set({ environment, purpose }, max);
        connections.set({ environment, purpose, state: 'in_use' }, inUse);
        connections.set({ environment, purpose, state: 'idle' }, idle);
        waiting.set({ environment, purpose }, callers);
        refused.inc({ environment, purpose }, refusals);
      }
  };
  const collectJobs = async ({ name: environment, jobs: queue }: MonitoredEnvironment) => {
    for (const { name, ready, deferred, active, waitingSeconds } of await queue.counts()) {
      for (const [state, count] of Object.entries({ ready, deferred, active }))
        jobs.set({ environment, queue: name, state }, count);
      jobAge.set({ environment, queue: name }, waitingSeconds);
    }
  };
  const collectWorkload = async ({ name: environment, requestDatabase }: MonitoredEnvironment) => {
    const workload = await readWorkload(requestDatabase, monitored.now());
    for (const status of executionStatuses)
      executions.set({ environment, status }, workload.executions[status] ?? 0);
    for (const { failed, ended, ...definition } of workload.failingDefinitions) {
      definitionFailures.set({ environment, ...definition }, failed);
      definitionEnds.set({ environment, ...definition }, ended);
    }
    unrelayed.set({ environment }, workload.unrelayedEvents);
    for (const [state, count] of Object.entries(workload.deliveries))
      deliveries.set({ environment, state }, count);
    failingEndpoints.set({ environment }, workload.failingEndpoints);
  };
  const collectDisk = async () => {
    const { bavail, blocks, bsize } = await statfs(monitored.dataDirectory);
    diskFree.set(bavail * bsize);
    diskSize.set(blocks * bsize);
  };

  const collectAll = () =>
    Promise.all([
      collectDisk().catch(() => {}),
      ...monitored.environments.flatMap((environment) => [
        collectJobs(environment).catch(() => {}),
        collectWorkload(environment).catch(() => {}),
      ]),
    ]);
  let collectedAt = Number.NEGATIVE_INFINITY;
  let collected: Promise<unknown> = Promise.resolve();
  return async () => {
    collectPools();
    if (performance.now() - collectedAt >= keptMilliseconds) {
      collectedAt = performance.now();
      // What cannot be read is missing, because old numbers would look like new ones. An alert says that it is.
      for (const gauge of readFromDatabase) gauge.reset();
      collected = collectAll();
    }
    await Promise.race([collected, sleep(timeoutMilliseconds, undefined, { ref: false })]);
  };
}
