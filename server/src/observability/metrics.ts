import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type Listener, listen, securityHeaders } from '../../http-server/index.ts';
import type { EnvironmentName } from '../config.ts';
import type { SweepReport } from '../files/sweep.ts';
import type { CompletedRequest } from '../http/log.ts';
import { healthOf } from '../pages/health.ts';
import { collection, type Monitored } from './collection.ts';

export interface Metrics {
  /** Counts a request. */
  observe(environment: EnvironmentName, request: CompletedRequest): void;
  /** Counts a sweep of blobs; without a report it failed. */
  swept(environment: EnvironmentName, report: SweepReport | undefined): void;
  /** Adds the state of the platform, from now on. @param obstacles as for `health` */
  monitor(monitored: Monitored, obstacles: () => Promise<string[]>): void;
  /** Serves `/metrics` in the Prometheus text format, and `/healthz` and `/readyz`, for processes without other ports. */
  listen(host: string, port: number): Promise<Listener>;
}

/** Metrics of requests, of the state of the platform and of the process. */
export function openMetrics(): Metrics {
  const headers = securityHeaders();
  const settings = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'wrp_request_duration_seconds',
    help: 'Duration of requests, by operation of the contract or by name of another entrance, such as agents or portal.',
    labelNames: ['environment', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const sweeps = new Counter({
    name: 'wrp_blob_sweeps_total',
    help: 'Sweeps of the blob store by outcome: done, stopped (too many unknown files), failed.',
    labelNames: ['environment', 'outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'wrp_refusals_total',
    help: 'Requests that got an error, by its code.',
    labelNames: ['environment', 'code'],
    registers: [registry],
  });
  let update = async () => {};
  let obstaclesNow = async () => ['the platform is starting'];
  return {
    observe(environment, { operationId, entrance, status, code, milliseconds }) {
      const operation = operationId ?? entrance;
      // An unknown path is only counted by its error code: nothing was served.
      if (operation) durations.observe({ environment, operation, status }, milliseconds / 1000);
      if (code) refusals.inc({ environment, code });
    },
    swept(environment, report) {
      const outcome = report ? (report.stopped ? 'stopped' : 'done') : 'failed';
      sweeps.inc({ environment, outcome });
    },
    monitor(monitored, obstacles) {
      update = collection(registry, monitored);
      obstaclesNow = obstacles;
    },
    listen: (host, port) =>
      listen({ host, port, settings, headers }, async (request, response) => {
        const send = (status: number, type: string, body: string, own: object = {}) =>
          response.writeHead(status, { ...headers, 'Content-Type': type, ...own }).end(body);
        if (request.url === '/metrics') {
          await update();
          return send(200, registry.contentType, await registry.metrics());
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
