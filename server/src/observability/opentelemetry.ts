import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Attributes,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Role } from '../store/connections.ts';
import type { Fields, StartSpan } from '../tracing/trace.ts';
import { collectedMetrics } from './otlp-metrics.ts';
import { trackOutage } from './outage.ts';

export interface Telemetry {
  startSpan: StartSpan;
  /** Exports what is left, for at most two seconds. */
  close(): Promise<void>;
}

const closingMilliseconds = 2_000;
const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
const serviceNames: Record<Role, string> = { all: 'wrp', serve: 'wrp-serve', work: 'wrp-work' };

/**
 * Exports spans and metrics over OTLP. The packages of OpenTelemetry read where to, how often and with which headers from
 * the variables of its specification.
 *
 * @param metrics the registry of Prometheus, brought up to date
 */
export function openTelemetry({
  role,
  settings,
  metrics,
  logger,
}: {
  role: Role;
  settings: NonNullable<Config['otlp']>;
  metrics(): Promise<Registry>;
  logger: Logger;
}): Telemetry {
  const { version } = manifest;
  const own = resourceFromAttributes({
    'service.name': serviceNames[role],
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'host.name': hostname(),
    'process.pid': process.pid,
  });
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  const resource = defaultResource().merge(own).merge(detectResources({ detectors }));
  /** The signals whose last export failed. */
  const failing = new Set<string>();
  const outage = trackOutage(logger, 'the OpenTelemetry collector', async () => failing.size === 0);
  const reporting = <Exporter extends Exports>(signal: string, exporter: Exporter): Exporter => {
    const exportAll = exporter.export.bind(exporter);
    exporter.export = (items: never, done) =>
      exportAll(items, (result) => {
        if (result.error) {
          failing.add(signal);
          outage.failed(result.error);
        } else failing.delete(signal);
        done(result);
      });
    return exporter;
  };
  const spans = new BatchSpanProcessor({
    exporter: reporting('traces', new OTLPTraceExporter()),
    scheduledDelayMillis: settings.spanDelayMilliseconds,
  });
  const tracers = new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [spans] });
  const reader = new PeriodicExportingMetricReader({
    exporter: reporting('metrics', new OTLPMetricExporter()),
    exportIntervalMillis: settings.metricIntervalMilliseconds,
    metricProducers: [collectedMetrics(resource, metrics)],
  });
  const meters = new MeterProvider({ resource, readers: [reader] });
  const tracer = tracers.getTracer('wrp', version);
  return {
    startSpan({ kind, name, parent, startedAt, attributes }) {
      const context =
        parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent));
      const options = {
        kind: kinds[kind],
        attributes: named(attributes),
        ...(startedAt && { startTime: startedAt }),
      };
      const span = tracer.startSpan(name, options, context);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
        end(fields, { name, error } = {}) {
          if (name) span.updateName(name);
          span.setAttributes(named(fields));
          if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
          span.end();
        },
      };
    },
    async close() {
      outage.close();
      const ended = Promise.allSettled([tracers.shutdown(), meters.shutdown()]);
      await Promise.race([ended, sleep(closingMilliseconds, undefined, { ref: false })]);
    },
  };
}

/** What the exporters of all signals have in common. */
interface Exports {
  export(items: never, done: (result: { code: number; error?: Error }) => void): void;
}

/** @param traceparent as `parseTraceparent` or `internalTraceparent` returns it */
function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

/** Attributes of OpenTelemetry's conventions keep their names; those of the platform become `wrp.execution_id`. */
function named(fields: Fields): Attributes {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const nameOf = (name: string) =>
    name.includes('.') ? name : `wrp.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return Object.fromEntries(given.map(([name, value]) => [nameOf(name), value])) as Attributes;
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration */
function samplerOf({ sampler, samplerRatio }: NonNullable<Config['otlp']>): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(samplerRatio),
  }[sampler.replace('parentbased_', '')] as () => Sampler;
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root: root() }) : root();
}
