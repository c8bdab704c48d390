import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/command-line/local-server.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { createActors } from '../support/actors.ts';
import { definitionOf } from '../support/definitions.ts';
import { given } from '../support/given.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { bodyOf } from '../support/responses.ts';
import { atEnd, temporaryRoot } from '../support/temporary.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { hasCollector, type ReceivedSpan, startCollector } from './collector.ts';

vi.setConfig({ testTimeout: scaledTimeout(120_000) });

const launcher = join(import.meta.dirname, '../../server/bin/wrp.js');
type Line = Record<string, unknown>;

/** `wrp serve` or `wrp work`, until the file ends. */
async function running(command: 'serve' | 'work', env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [launcher, command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  atEnd(() => void child.kill('SIGKILL'));
  await until(() => /is (ready|working)/.test(output));
  const lines = (): Line[] => output.match(/^\{.*\}$/gm)?.map((line) => JSON.parse(line)) ?? [];
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return { lines, stop };
}

/** A server and a worker as processes of their own, and a definition that calls a system and sends a mail. */
async function installation(settings: NodeJS.ProcessEnv) {
  const { connectionString } = await cloneDatabase();
  const database = openDatabase({ connection: connectionString, schema: 'production', poolSize: 1 });
  atEnd(() => database.destroy());
  const clock = { now: () => new Date(), advance: () => {} } as never;
  const { world, workflowDefinition } = await given(database, clock);
  const receiver = await startReceiver();
  const endpoint = { id: crypto.randomUUID(), url: receiver.url, organization_id: world.organization.id };
  await database.insertInto('webhook_endpoints').values(endpoint).execute();
  const Arguments = { url: receiver.url, body: { id: 'call' } };
  const mail = { to: 'noor.haddad@mail.example', subject: 'Done', text: 'Done.' };
  const { id: workflowDefinitionId } = await workflowDefinition({
    workspace: world.workspace,
    definition: definitionOf({
      Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments, Next: 'Mail' },
      Mail: { Type: 'Task', Resource: 'wrp:mail:send', Arguments: mail, End: true },
    }),
  });
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: connectionString,
    DATA_DIR: mkdtempSync(join(temporaryRoot(), 'wrp-tracing-')),
    SERVER_KEY: 'test'.repeat(11),
    PORT: `${port}`,
    SANDBOX_PORT: `${sandboxPort}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SANDBOX_PUBLIC_URL: `http://127.0.0.1:${sandboxPort}`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    TRUSTED_PROXIES: 'loopback',
    ...settings,
  };
  const [server, worker] = await Promise.all([running('serve', env), running('work', env)]);
  const { owner } = createActors(env.PUBLIC_URL, world);
  const start = async (headers: Record<string, string> = {}) => {
    const started = owner.POST('/workflows', { body: { workflowDefinitionId }, headers });
    const { id } = (await bodyOf(200, started)) as { id: string };
    // The call, and the events of the start and the end.
    await until(() => receiver.received.length === 3);
    await until(
      () => worker.lines().filter(({ executionId, job }) => job && executionId === id).length === 5,
    );
    return { id, requested: receiver.received.splice(0) };
  };
  return { server, worker, owner, start };
}

const children = (spans: ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parent && parentSpanId === parent.spanId);
const names = (spans: ReceivedSpan[]) => spans.map(({ service, name }) => `${service} ${name}`).sort();

test('without OpenTelemetry, one trace id finds the lines of a request, its steps, its mail and its deliveries', async () => {
  const { server, worker, start } = await installation({});
  const { id, requested } = await start({ 'X-Request-Id': 'Root=1-67891233-abcdef' });
  const [line] = server.lines().filter(({ operationId }) => operationId === 'startWorkflow');
  expect(line).toMatchObject({ executionId: id, proxyRequestId: 'Root=1-67891233-abcdef', status: 200 });
  const traceId = String(line?.['requestId']).replaceAll('-', '');
  expect(line).toMatchObject({ traceId });
  // Besides the line of the file that the mail was written to.
  const jobs = worker.lines().filter((one) => one['traceId'] === traceId && one['job']);
  expect(jobs.map(({ job }) => job).sort()).toEqual([
    'execution-call',
    'execution-step',
    'mail',
    'webhook-delivery',
    'webhook-delivery',
  ]);
  const common = { environment: 'production', executionId: id, milliseconds: expect.any(Number) };
  for (const job of jobs) expect(job).toMatchObject(common);
  const of = (name: string) => jobs.filter(({ job }) => job === name);
  expect(of('execution-step')).toMatchObject([{ states: ['Call'], outcome: 'task' }]);
  expect(of('execution-call')).toMatchObject([
    { states: ['Call', 'Mail'], resource: 'wrp:http:call', call: 'succeeded', outcome: 'end' },
  ]);
  expect(of('mail')).toMatchObject([{ outcome: 'sent' }]);
  const delivery = { eventId: expect.any(String), deliveryId: expect.any(String), attempt: 1, status: 204 };
  expect(of('webhook-delivery')).toMatchObject([delivery, delivery]);
  expect(line?.['eventIds']).toEqual(
    of('webhook-delivery').flatMap(({ eventType, eventId }) =>
      eventType === 'workflow.started' ? [eventId] : [],
    ),
  );
  // It is nobody else's trace.
  expect(requested.map(({ headers }) => headers['traceparent'])).toEqual([undefined, undefined, undefined]);
});

describe.skipIf(!hasCollector)('with a collector of OpenTelemetry', () => {
  test('one trace leads from a request through all its jobs to its webhooks', async () => {
    const { endpoint, spans, metrics, start: startAgain, stop } = await startCollector();
    const { server, worker, owner, start } = await installation({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const { id, requested } = await start({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    const traced = () => spans.filter((span) => span.traceId === traceId);
    await until(() => traced().length === 9);

    const [root] = traced().filter(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    expect(root).toMatchObject({ name: 'startWorkflow', kind: 2, service: 'wrp-serve' });
    expect(root?.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/workflows',
      'http.response.status_code': '200',
      'wrp.environment': 'production',
      'wrp.execution_id': id,
    });
    // The event of the start is delivered, and the first step runs; the call of the next step leads to the end.
    const jobs = children(traced(), root);
    expect(names(jobs)).toEqual([
      'wrp-work execution-call',
      'wrp-work execution-step',
      'wrp-work webhook-delivery',
    ]);
    const call = jobs.find(({ name }) => name === 'execution-call');
    expect(names(children(traced(), call))).toEqual([
      'wrp-work POST',
      'wrp-work mail',
      'wrp-work webhook-delivery',
    ]);
    const clients = traced().filter(({ kind }) => kind === 3);
    // Others continue the trace below the request that reached them.
    expect(requested.map(({ headers }) => headers['traceparent']).sort()).toEqual(
      clients.map(({ spanId }) => `00-${traceId}-${spanId}-01`).sort(),
    );
    for (const process of [server, worker])
      expect(process.lines().filter((line) => line['traceId'] === traceId)).not.toEqual([]);
    const has = (name: string, service: string) =>
      metrics.some((metric) => metric.name === name && metric.service === service);
    await until(() => has('wrp_request_duration_seconds', 'wrp-serve') && has('wrp_jobs', 'wrp-work'));

    // A collector that is away costs two lines, and no request.
    const outages = () =>
      server.lines().flatMap(({ msg }) => (/OpenTelemetry/.test(String(msg)) ? [msg] : []));
    await stop();
    await until(async () => {
      await bodyOf(200, owner.GET('/organizations/roles'));
      return outages().length > 0;
    });
    await startAgain();
    await until(() => outages().length > 1);
    expect(outages()).toEqual([
      'the OpenTelemetry collector is unavailable',
      'the OpenTelemetry collector is available again',
    ]);
    await stop();
    const stopping = performance.now();
    expect(await Promise.all([server.stop(), worker.stop()])).toEqual([0, 0]);
    expect(performance.now() - stopping).toBeLessThan(scaledTimeout(8_000));
  });
});
