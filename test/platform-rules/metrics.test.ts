import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { api } from '../support/api.ts';
import { expectRefusal } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { givenEndpoint, makeEvents, toThisMachine } from '../webhooks/support.ts';

const platform = await api({ ...toThisMachine, metricsPort: 0 });
const { owner, database, world } = platform;

const scrape = async () => (await fetch(`http://127.0.0.1:${platform.metricsPort}/metrics`)).text();
/** The values of a metric by its labels, as they are written. */
const valuesOf = (text: string, name: string) =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(`^${name}(?:{(.*)})? (.*)$`, 'gm'))].map(([, labels = '', value]) => [
      labels,
      Number(value),
    ]),
  );
const helpOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^# HELP (\w+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );

/** Dashboards and alerts of operators depend on these names. */
const help = {
  wrp_blob_sweeps_total:
    'Sweeps of the blob store by outcome: done, stopped (too many unknown files), failed.',
  wrp_database_connections: 'Connections to the database of this process.',
  wrp_database_connections_max: 'Maximum number of connections to the database of this process.',
  wrp_database_refused_total:
    'Callers of this process that were refused a connection; requests among them got 503.',
  wrp_database_waiting: 'Callers of this process that wait for a connection to the database.',
  wrp_disk_free_bytes: 'Free space on the disk of DATA_DIR.',
  wrp_disk_size_bytes: 'Size of the disk of DATA_DIR.',
  wrp_events_unrelayed: 'Events for which no webhook deliveries exist yet.',
  wrp_executions: 'Executions that are RUNNING, and those that ended within the last minute by status.',
  wrp_job_waiting_seconds: 'How long the next job of a queue has been due; 0 if there is none.',
  wrp_jobs: 'Jobs of all processes.',
  wrp_refusals_total: 'Requests that got an error, by its code.',
  wrp_request_duration_seconds:
    'Duration of requests, by operation of the contract or by name of another entrance, such as agents or portal.',
  wrp_webhook_deliveries: 'Open webhook deliveries: due, or scheduled for a later attempt.',
  wrp_webhook_endpoints_failing: 'Webhook endpoints of which most of the last 20 attempts failed.',
};

test('every metric has its name and help', async () => {
  const ours = Object.entries(helpOf(await scrape())).filter(([name]) => name.startsWith('wrp_'));
  expect(Object.fromEntries(ours.toSorted())).toEqual(help);
});

test('refusals are counted by code', async () => {
  const params = { path: { userId: crypto.randomUUID() } };
  for (let request = 0; request < 3; request++)
    await expectRefusal(owner.GET('/organizations/users/{userId}', { params }), 404, 'user_not_found');
  expect(valuesOf(await scrape(), 'wrp_refusals_total')).toEqual({
    'environment="production",code="user_not_found"': 3,
  });
});

test('connections are counted by environment, purpose and state', async () => {
  const connections = valuesOf(await scrape(), 'wrp_database_connections');
  const keys = ['production', 'sandbox'].flatMap((environment) =>
    ['requests', 'executions', 'webhooks'].flatMap((purpose) =>
      ['in_use', 'idle'].map((state) => `environment="${environment}",purpose="${purpose}",state="${state}"`),
    ),
  );
  expect(Object.keys(connections).sort()).toEqual(keys.sort());
  const requests = 'environment="production",purpose="requests"';
  expect(connections[`${requests},state="idle"`]).toBeGreaterThan(0);
  expect(valuesOf(await scrape(), 'wrp_database_refused_total')[requests]).toBe(0);
});

test('the metrics show executions, jobs and deliveries', async () => {
  const closed = 'http://127.0.0.1:1/';
  await givenEndpoint(database, { url: closed, organizationId: world.organization.id });
  await makeEvents(platform, 3);
  const body = { workflowDefinitionId: world.workflowDefinition.id };
  expect((await owner.POST('/workflows', { body })).response.status).toBe(200);
  const production = 'environment="production"';
  const text = await until(
    async () => {
      const text = await scrape();
      const jobs = valuesOf(text, 'wrp_jobs');
      return (jobs[`${production},queue="webhook-delivery",state="deferred"`] ?? 0) >= 3 && text;
    },
    { interval: 1_000 },
  );
  const deliveries = valuesOf(text, 'wrp_webhook_deliveries');
  expect(
    (deliveries[`${production},state="due"`] as number) +
      (deliveries[`${production},state="scheduled"`] as number),
  ).toBeGreaterThanOrEqual(3);
  const executions = valuesOf(text, 'wrp_executions');
  expect(executions[`${production},status="COMPLETED"`]).toBe(1);
  expect(executions['environment="sandbox",status="COMPLETED"']).toBe(0);
  expect(valuesOf(text, 'wrp_job_waiting_seconds')).toHaveProperty([`${production},queue="mail"`]);
  expect(valuesOf(text, 'wrp_events_unrelayed')[production]).toBe(0);
  expect(valuesOf(text, 'wrp_disk_free_bytes')['']).toBeGreaterThan(0);
});

test.each(['grafana-dashboard.json', 'alert-rules.yaml'])(
  'server/operations/%s names only metrics that are exported',
  async (file) => {
    const text = await readFile(new URL(`../../server/operations/${file}`, import.meta.url), 'utf8');
    const expressions = expressionsIn(parse(text));
    expect(expressions.length).toBeGreaterThan(5);
    const exported = new Set(Object.keys(helpOf(await scrape())));
    const used = expressions.flatMap((expression) => [
      // Label matchers and lists of labels contain no names of metrics.
      ...expression
        .replace(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\bby \([^)]*\)|label_values\(|, environment\)/g, ' ')
        .matchAll(/\b[a-z]\w*_\w+\b/g),
    ]);
    const names = used.map(([name]) => name).filter((name) => name !== 'histogram_quantile');
    expect(names.length).toBeGreaterThan(5);
    for (const name of names)
      expect(exported, `${file}: ${name}`).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  },
);

test.each(['grafana-dashboard.json', 'alert-rules.yaml'])(
  'the percentiles in server/operations/%s leave out what waits on purpose, transfers files or probes',
  async (file) => {
    const text = await readFile(new URL(`../../server/operations/${file}`, import.meta.url), 'utf8');
    const percentiles = expressionsIn(parse(text)).filter((one) =>
      one.includes('request_duration_seconds_bucket'),
    );
    expect(percentiles.length).toBeGreaterThan(0);
    for (const expression of percentiles)
      expect(expression).toContain('operation!~"pollWebhookEvents|agents|files|links|progress|health"');
  },
);

/** PromQL in a dashboard or in alert rules. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'expr' || name === 'query') && typeof inner === 'string' ? [inner] : expressionsIn(inner),
  );
}
