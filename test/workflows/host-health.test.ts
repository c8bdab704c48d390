import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { hostHealth } from '../../server/src/workflows/host-health.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

describe('the health of hosts', () => {
  function observed() {
    const lines: [level: string, fields: object][] = [];
    const counts: number[] = [];
    const log = (level: string) => (fields: object) => void lines.push([level, fields]);
    const logger = { warn: log('warn'), info: log('info') };
    const health = hostHealth({ logger: logger as never, onChange: (count) => void counts.push(count) });
    const call = (url: string, organizationId = 'a') => ({
      organizationId,
      task: { arguments: { url } },
    });
    const record = (url: string, error: string | undefined, times = 1, organizationId = 'a') => {
      for (let each = 0; each < times; each++)
        health.record(call(url, organizationId), error === undefined ? undefined : { error });
    };
    const groupOf = (url: string, organizationId = 'a') => health.groupOf(call(url, organizationId));
    return { health, lines, counts, record, groupOf };
  }
  const url = 'https://partner.example/claims';

  test.each([
    'Http.Failed',
    'Http.Status.500',
    'Http.Status.503',
    'Http.Status.429',
    'States.Timeout',
    'States.HeartbeatTimeout',
  ])('11 of the last 20 calls with %s make a host fail', (error) => {
    const { record, groupOf } = observed();
    record(url, undefined, 20);
    record(url, error, 10);
    expect(groupOf(url)).toBeUndefined();
    record(url, error);
    expect(groupOf(url)).toBe('partner.example');
  });

  test.each(['Http.Status.404', 'Http.Status.401', 'Http.TooLarge', 'Http.Refused', 'Wrp.InvalidArguments'])(
    '%s is no failure of a host',
    (error) => {
      const { record, groupOf } = observed();
      record(url, error, 100);
      expect(groupOf(url)).toBeUndefined();
    },
  );

  test('a call that was not sent says nothing about a failing host', () => {
    const { record, groupOf } = observed();
    record(url, 'Http.Failed', 20);
    record(url, 'Http.Refused', 100);
    expect(groupOf(url)).toBeDefined();
  });

  test('a host counts with its port, for each organization, in any path and spelling', () => {
    const { record, groupOf } = observed();
    record('https://partner.example/a', 'Http.Failed', 6);
    record('https://PARTNER.example:443/b?c=d', 'Http.Failed', 6);
    expect(groupOf('https://partner.example')).toBe('partner.example');
    expect(groupOf('https://partner.example:8443')).toBeUndefined();
    expect(groupOf('https://other.example')).toBeUndefined();
    expect(groupOf('https://partner.example', 'b')).toBeUndefined();
  });

  test('the request of a callback task counts, and arguments without a URL do not', () => {
    const { health } = observed();
    const call = { organizationId: 'a', task: { arguments: { request: { url } } } };
    for (let each = 0; each < 11; each++) health.record(call, { error: 'Http.Failed' });
    expect(health.groupOf(call)).toBe('partner.example');
    for (const args of [null, 1, 'x', [], { url: 'x' }, { url: 1 }, { request: null }])
      expect(health.groupOf({ organizationId: 'a', task: { arguments: args } })).toBeUndefined();
    expect(health.groupOf({ organizationId: 'a', task: null })).toBeUndefined();
  });

  test('each change is one line of the log, and one of the metric', () => {
    const { record, lines, counts, groupOf } = observed();
    record(url, 'Http.Failed', 50);
    record(url, undefined, 50);
    record(url, 'Http.Failed', 11);
    expect(lines).toEqual(
      ['warn', 'info', 'warn'].map((level) => [level, { host: 'partner.example', organizationId: 'a' }]),
    );
    expect(counts).toEqual([1, 0, 1]);
    expect(groupOf(url)).toBeDefined();
  });

  test('an organization has at most 11 groups of failing hosts', () => {
    const { record, groupOf } = observed();
    const urls = Array.from({ length: 30 }, (_, index) => `https://host-${index}.example/`);
    for (const each of urls) record(each, 'Http.Failed', 11);
    record(url, 'Http.Failed', 11, 'b');
    expect(new Set(urls.map((each) => groupOf(each))).size).toBe(11);
    expect(groupOf(url, 'b')).toBe('partner.example');
  });

  test('the number of remembered hosts is bounded', () => {
    const { record, groupOf, counts } = observed();
    record(url, 'Http.Failed', 11);
    for (let index = 0; index < 10_000; index++) record(`https://host-${index}.example/`, 'Http.Failed');
    expect(groupOf(url)).toBeUndefined();
    expect(counts).toEqual([1, 0]);
  });
});

describe('a host that fails', () => {
  test('gets 4 calls at a time, each once, while another host gets its calls at once; and all when it is well', async () => {
    const { executions, define, log, metricsPort } = await workflowWorld({ metricsPort: 0 });
    let isDown = true;
    let now = 0;
    let most = 0;
    let slow = 0;
    const bad = await otherSystem(async (_request, response) => {
      now += 1;
      most = Math.max(most, now);
      if (slow > 0) await sleep(slow);
      now -= 1;
      json(response, isDown ? 503 : 200, {});
    });
    const good = await otherSystem((_request, response) => json(response, 200, {}));
    const callOf = (url: string) =>
      define({ Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments: { url }, End: true } });
    const [toBad, toGood] = [await callOf(bad.url), await callOf(good.url)];
    const start = (id: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => executions.start({ workflowDefinitionId: id })));

    for (const execution of await start(toBad, 20)) await executions.ended(execution, 'FAILED');
    const warnings = () => log.filter(({ msg }) => msg === 'most recent calls of a host failed');
    expect(warnings()).toMatchObject([{ host: new URL(bad.url).host }]);
    const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(await metrics()).toContain('wrp_task_hosts_failing{environment="production"} 1');

    most = 0;
    slow = 400;
    const waiting = await start(toBad, 40);
    await until(() => most > 0);
    for (const execution of await start(toGood, 20)) await executions.ended(execution);
    expect(most).toBeLessThanOrEqual(4);
    expect(bad.received.length).toBeLessThan(60);

    isDown = false;
    slow = 0;
    for (const execution of waiting)
      await until(async () => (await executions.read(execution.id)).status !== 'RUNNING');
    const keys = bad.received.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(60);
    expect(keys).toHaveLength(60);
    for (const execution of await start(toBad, 20)) await executions.ended(execution);
    expect(log.filter(({ msg }) => msg === 'the calls of a host succeed again')).toHaveLength(1);
    expect(warnings()).toHaveLength(1);
    expect(await metrics()).toContain('wrp_task_hosts_failing{environment="production"} 0');
  });
});
