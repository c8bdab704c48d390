import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EnvironmentName } from './config.ts';
import type { AnsweredRequest } from './http/log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { type Listener, listen } from './listen.ts';

export interface Metrics {
  /** Counts one answered request. */
  observe(environment: EnvironmentName, request: AnsweredRequest): void;
  /** Serves `/metrics` in the Prometheus text format, on this machine only. */
  listen(port: number): Promise<Listener>;
}

/** Durations by operation and status, and the process's own figures. */
export function openMetrics(): Metrics {
  const headers = securityHeaders();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'wrp_request_duration_seconds',
    help: 'How long answering a request took.',
    labelNames: ['environment', 'operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    observe: (environment, { operationId, status, milliseconds }) =>
      durations.observe({ environment, operation: operationId, status }, milliseconds / 1000),
    listen: (port) =>
      listen({ host: '127.0.0.1', port, variable: 'METRICS_PORT', headers }, async (request, response) => {
        if (request.url !== '/metrics') return response.writeHead(404, headers).end();
        const text = await registry.metrics();
        response.writeHead(200, { ...headers, 'Content-Type': registry.contentType }).end(text);
      }),
  };
}
