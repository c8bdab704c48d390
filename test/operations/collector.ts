import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { until } from '../support/waiting.ts';

/** The OpenTelemetry collector. `.ci/run` builds it. */
const otelcol = resolve(
  import.meta.dirname,
  '../..',
  process.env['OTELCOL'] || 'node_modules/.cache/otelcol/otelcol',
);
export const hasCollector = existsSync(otelcol);

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 2: server, 3: client, 5: consumer. */
  kind: number;
  service: string;
  attributes: Record<string, unknown>;
}

interface ReceivedMetric {
  name: string;
  service: string;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Resource {
  resource: { attributes: Attribute[] };
}

/** A running collector, until the file ends. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetric[] = [];
  const sink = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    for (const { resource, scopeSpans } of body.resourceSpans ?? [])
      for (const span of scopeSpans.flatMap(({ spans }: { spans: object[] }) => spans))
        spans.push({ ...span, service: serviceOf({ resource }), attributes: valuesOf(span.attributes) });
    for (const { resource, scopeMetrics } of body.resourceMetrics ?? [])
      for (const { name } of scopeMetrics.flatMap(({ metrics }: { metrics: object[] }) => metrics))
        metrics.push({ name, service: serviceOf({ resource }) });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => sink.listen(0, '127.0.0.1', listening));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const file = join(mkdtempSync(join(temporaryRoot(), 'wrp-collector-')), 'collector.yaml');
  writeFileSync(file, configuration(port, (sink.address() as AddressInfo).port));
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(otelcol, ['--config', file], { stdio: 'ignore' });
    await until(() => fetch(endpoint).catch(() => undefined));
  };
  const stop = async () => {
    const exited = new Promise((done) => child?.once('exit', done));
    child?.kill();
    await exited;
  };
  await start();
  atEnd(async () => {
    child?.kill('SIGKILL');
    sink.closeAllConnections();
    sink.close();
  });
  return { endpoint, spans, metrics, start, stop };
}

const configuration = (port: number, sink: number) => `
receivers:
  otlp: { protocols: { http: { endpoint: '127.0.0.1:${port}' } } }
exporters:
  otlp_http:
    endpoint: http://127.0.0.1:${sink}
    encoding: json
    compression: none
service:
  telemetry: { metrics: { level: none } }
  pipelines:
    traces: { receivers: [otlp], exporters: [otlp_http] }
    metrics: { receivers: [otlp], exporters: [otlp_http] }
`;

function serviceOf({ resource }: Resource): string {
  return String(valuesOf(resource.attributes)['service.name']);
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
