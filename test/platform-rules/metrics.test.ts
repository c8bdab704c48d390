import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentNames } from '../../server/src/config.ts';
import { entrances } from '../../server/src/http/entrances.ts';
import { api } from '../support/api.ts';
import { theContract } from '../support/contract.ts';
import { expectRefusal } from '../support/responses.ts';
import { until } from '../support/waiting.ts';
import { givenEndpoint, makeEvents, toThisMachine } from '../webhooks/support.ts';

const platform = await api({ ...toThisMachine, metricsPort: 0 });
const { owner, database, world } = platform;

/** Before the first request. */
const atStart = await (await fetch(`http://127.0.0.1:${platform.metricsPort}/metrics`)).text();
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
  wrp_build_info:
    'Always 1; its labels say what runs: the version and commit of the platform, and the version of Node.',
  wrp_database_connections: 'Connections to the database of this process.',
  wrp_database_connections_max: 'Maximum number of connections to the database of this process.',
  wrp_database_refused_total:
    'Callers of this process that were refused a connection; requests among them got 503.',
  wrp_database_waiting: 'Callers of this process that wait for a connection to the database.',
  wrp_clock_skew_seconds: "How far the clock of this machine is ahead of the database's; negative: behind.",
  wrp_definition_executions_ended:
    'All executions among which wrp_definition_executions_failed counts the failed ones.',
  wrp_definition_executions_failed:
    'Failed executions of a definition, of the last 10,000 that ended within an hour. Of the 20 definitions with most failures; the others are one, other.',
  wrp_disk_free_bytes: 'Free space on the disk of DATA_DIR.',
  wrp_disk_size_bytes: 'Size of the disk of DATA_DIR.',
  wrp_events_unrelayed: 'Events for which no webhook deliveries exist yet.',
  wrp_executions: 'Executions that are RUNNING, and those that ended within the last minute by status.',
  wrp_executions_ended_total:
    'Executions that ended, by definition, status and error name; in the process that relayed their event. Each environment has 100 definitions with 20 errors each; the others are other.',
  wrp_job_waiting_seconds: 'How long the next job of a queue has been due; 0 if there is none.',
  wrp_jobs: 'Jobs of all processes.',
  wrp_mails_total:
    'Attempts to send a mail by outcome: sent, failed (to be repeated), discarded (undeliverable).',
  wrp_part_ready:
    'Whether this process can use a part: database, disk (of the database), blob_store, job_queue.',
  wrp_ready: 'Whether /readyz of this process is 200.',
  wrp_refusals_total: 'Requests that got an error, by its code.',
  wrp_request_duration_seconds:
    'Duration of requests, by operation of the contract or by name of another entrance, such as agents or portal.',
  wrp_requests_total: 'Requests, by operation or entrance and by status. 499: the client disconnected.',
  wrp_schedules_total:
    'Due times of schedules by outcome: started, queued, skipped (both: the last execution is running), missed, refused.',
  wrp_task_hosts_failing:
    'Hosts of which most of the last 20 calls by tasks of this process failed, counted for each organization.',
  wrp_webhook_deliveries: 'Open webhook deliveries: due, or scheduled for a later attempt.',
  wrp_webhook_endpoints_failing: 'Webhook endpoints of which most of the last 20 attempts failed.',
};

test('every metric has its name and help', async () => {
  const ours = Object.entries(helpOf(await scrape())).filter(([name]) => name.startsWith('wrp_'));
  expect(Object.fromEntries(ours.toSorted())).toEqual(help);
});

/** The values that a label can have; a combination that cannot occur is not exported. */
const perEnvironment = (rows: object[]) =>
  environmentNames.flatMap((environment) => rows.map((row) => labelsOf({ environment, ...row })));
const labelsOf = (labels: object) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join();
const { contract, document } = await theContract();
const anyStatus = new Set([...contract.operations.values()].flatMap(({ statuses }) => statuses));
const served = [
  ...[...contract.operations.values()].map(({ id, statuses }) => ({ operation: id, statuses })),
  ...Object.keys(entrances).map((operation) => ({ operation, statuses: anyStatus })),
];
const { ErrorCode } = (document as unknown as { components: { schemas: { ErrorCode: { enum: string[] } } } })
  .components.schemas;
const outcomes = (...names: string[]) => perEnvironment(names.map((outcome) => ({ outcome })));

/** A counter of the registry without a row here fails its test. */
const seriesOf: Record<string, string[]> = {
  wrp_blob_sweeps_total: outcomes('done', 'stopped', 'failed'),
  wrp_schedules_total: outcomes('started', 'queued', 'skipped', 'missed', 'refused'),
  wrp_database_refused_total: perEnvironment(
    ['requests', 'executions', 'webhooks'].map((purpose) => ({ purpose })),
  ),
  wrp_executions_ended_total: perEnvironment(
    Object.entries({ COMPLETED: '', FAILED: 'other', CANCELLED: '', EXPIRED: '' }).map(([status, error]) => ({
      definition: 'other',
      name: 'other',
      status,
      error,
    })),
  ),
  wrp_mails_total: outcomes('sent', 'failed', 'discarded'),
  wrp_refusals_total: perEnvironment(ErrorCode.enum.map((code) => ({ code }))),
  wrp_requests_total: perEnvironment(
    served.flatMap(({ operation, statuses }) => [...statuses, 499].map((status) => ({ operation, status }))),
  ),
};

test.each([...atStart.matchAll(/^# TYPE (wrp_\w+) counter$/gm)].map(([, name = '']) => name))(
  '%s has every series at 0 from the start, so that the first event of a process raises an alert',
  (name) => {
    const values = valuesOf(atStart, name);
    expect(Object.keys(values).sort()).toEqual(seriesOf[name]?.toSorted());
    expect(new Set(Object.values(values))).toEqual(new Set([0]));
  },
);

test('the build, and every part that a request needs, are there from the start', () => {
  expect(Object.keys(valuesOf(atStart, 'wrp_build_info'))).toEqual([
    expect.stringMatching(/^version="\d+\.\d+\.\d+",commit="([0-9a-f]{40}|unknown)",node="\d+\.\d+\.\d+"$/),
  ]);
  const ready = perEnvironment(['database', 'disk', 'blob_store', 'job_queue'].map((part) => ({ part })));
  expect(valuesOf(atStart, 'wrp_part_ready')).toEqual(Object.fromEntries(ready.map((one) => [one, 1])));
  expect(valuesOf(atStart, 'wrp_ready')).toEqual({ '': 1 });
});

test('refusals are counted by code', async () => {
  const params = { path: { userId: crypto.randomUUID() } };
  for (let request = 0; request < 3; request++)
    await expectRefusal(owner.GET('/organizations/users/{userId}', { params }), 404, 'user_not_found');
  const counted = Object.entries(valuesOf(await scrape(), 'wrp_refusals_total')).filter(([, count]) => count);
  expect(counted).toEqual([['environment="production",code="user_not_found"', 3]]);
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
        .matchAll(/\b[a-z]\w*_\w+\b(?!\s*\()/g),
    ]);
    const names = used.map(([name]) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names)
      expect(exported, `${file}: ${name}`).toContain(name.replace(/_(bucket|count|sum)$/, ''));
  },
);

test.each(['grafana-dashboard.json', 'alert-rules.yaml'])(
  'every selector with labels in server/operations/%s selects a series',
  async (file) => {
    const expressions = expressionsIn(
      parse(await readFile(new URL(`../../server/operations/${file}`, import.meta.url), 'utf8')),
    );
    const series = [...(await scrape()).matchAll(/^(\w+)\{(.*)\} /gm)].map(([, name, labels = '']) => ({
      name,
      labels: new Map(
        [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
    }));
    const selectors = expressions.flatMap((one) => [...one.matchAll(/(wrp_\w+)\{([^}]*)\}/g)]);
    expect(selectors.length).toBeGreaterThan(5);
    for (const [selector, metric, inner = ''] of selectors) {
      const matchers = [...inner.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].filter(
        ([, , , value]) => value !== '$environment',
      );
      const matches = (labels: Map<string, string>) =>
        matchers.every(([, label = '', operator = '', wanted = '']) => {
          const value = labels.get(label);
          if (value === undefined) return false;
          const equal = operator.includes('~') ? new RegExp(`^(?:${wanted})$`).test(value) : value === wanted;
          return equal !== operator.startsWith('!');
        });
      // No execution of this platform has failed.
      const found =
        metric?.startsWith('wrp_definition_') ||
        series.some(({ name, labels }) => name === metric && matches(labels));
      expect(found, `${file}: no series is ${selector}`).toBe(true);
    }
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
