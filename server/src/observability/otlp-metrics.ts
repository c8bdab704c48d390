import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type Collected = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>;
/** Of all points: counters begin with the process. */
type Times = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>;

/** The metrics of a registry of Prometheus, under the same names, so that nothing is measured twice. */
export function collectedMetrics(resource: Resource, registry: () => Promise<Registry>): MetricProducer {
  const startTime = hrTime(Date.now() - process.uptime() * 1000);
  return {
    async collect() {
      const collected = (await (await registry()).getMetricsAsJSON()) as Collected[];
      const times = { startTime, endTime: hrTime(Date.now()) };
      const metrics = collected.map((metric) => metricOf(metric, times));
      return {
        resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'wrp' }, metrics }] },
        errors: [],
      };
    },
  };
}

function hrTime(milliseconds: number): HrTime {
  return [Math.floor(milliseconds / 1000), Math.round((milliseconds % 1000) * 1e6)];
}

function metricOf({ name, help, type, values }: Collected, times: Times): MetricData {
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  // The types of prom-client call them an enumeration of numbers; they are words.
  if (String(type) === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(values, times) };
  const dataPoints = values.map(({ labels, value }) => ({
    ...times,
    attributes: attributesOf(labels),
    value,
  }));
  return String(type) === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Prometheus counts in each bucket what is in the smaller ones, too; OpenTelemetry does not. */
function histogramsOf(values: Collected['values'], times: Times): DataPoint<Histogram>[] {
  const groups = Map.groupBy(values, ({ labels: { le, ...labels } }) => JSON.stringify(labels));
  return [...groups.values()].map((group) => {
    const sumOf = (suffix: string) =>
      group.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
    const buckets = group.filter(({ metricName }) => metricName?.endsWith('_bucket'));
    const boundaries = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const { le, ...labels } = group[0]?.labels ?? {};
    return {
      ...times,
      attributes: attributesOf(labels),
      value: { buckets: { boundaries, counts }, sum: sumOf('_sum'), count: sumOf('_count') },
    };
  });
}

function attributesOf(labels: Partial<Record<string, string | number>>): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
