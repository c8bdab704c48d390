import { describe, expect, test } from 'vitest';
import { parseTraceparent, traceIdOf } from '../../server/src/tracing/trace-context.ts';
import { api } from '../support/api.ts';
import { definitionOf } from '../support/definitions.ts';
import { until } from '../support/waiting.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { givenEndpoint, toThisMachine } from '../webhooks/support.ts';

const { owner, world, given, database, log } = await api(toThisMachine);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const lines = (requestId: string | null) => log.filter((line) => line['requestId'] === requestId);

describe('a traceparent', () => {
  test.each([
    [traceparent, traceparent],
    [`01-${traceId}-00f067aa0ba902b7-01-more`, traceparent],
    [`01-${traceId}-00f067aa0ba902b7-01`, traceparent],
  ])('%s is valid', (header, parsed) => {
    expect(parseTraceparent(header)).toBe(parsed);
    expect(traceIdOf(parsed)).toBe(traceId);
  });

  test.each([
    undefined,
    '',
    `00-${traceId}-00f067aa0ba902b7-01-more`,
    `ff-${traceId}-00f067aa0ba902b7-01`,
    `00-${traceId.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-00f067aa0ba902b7`,
    `${traceparent}, ${traceparent}`,
  ])('%s is ignored', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

test('log lines have the trace of their request, the host and the process', async () => {
  const traced = await owner.fetch('/organizations/roles', { headers: { traceparent } });
  const invalid = await owner.fetch('/organizations/roles', { headers: { traceparent: 'trace' } });
  expect([traced.status, invalid.status]).toEqual([200, 200]);
  expect(lines(traced.headers.get('Request-Id'))).toMatchObject([
    { traceId, host: expect.any(String), pid: process.pid },
  ]);
  const requestId = invalid.headers.get('Request-Id') as string;
  expect(lines(requestId)[0]).toMatchObject({ traceId: requestId.replaceAll('-', '') });
});

test('webhooks and calls have the traceparent of the request that caused them', async () => {
  const [called, webhooks] = [await startReceiver(), await startReceiver()];
  await givenEndpoint(database, { url: webhooks.url, organizationId: world.organization.id });
  const Arguments = { url: called.url, body: { id: 'call' } };
  const { id: workflowDefinitionId } = await given.workflowDefinition({
    workspace: world.workspace,
    definition: definitionOf({
      Call: { Type: 'Task', Resource: 'wrp:http:call', Arguments, Next: 'Store' },
      Store: {
        Type: 'Task',
        Resource: 'wrp:resource:create',
        Arguments: { name: 'a.txt', text: 'a' },
        End: true,
      },
    }),
  });
  const start = (headers: Record<string, string>) =>
    owner.fetch('/workflows', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ workflowDefinitionId }),
    });
  expect((await start({ traceparent })).status).toBe(200);
  await until(() => webhooks.taken.length === 3);
  const types = webhooks.received.map(({ event, headers }) => [event.type, headers['traceparent']]);
  expect(types.sort()).toEqual([
    ['resource.created', traceparent],
    ['workflow.completed', traceparent],
    ['workflow.started', traceparent],
  ]);
  expect(called.received.map(({ headers }) => headers['traceparent'])).toEqual([traceparent]);

  expect((await start({})).status).toBe(200);
  await until(() => webhooks.taken.length === 6);
  expect(webhooks.received.slice(3).map(({ headers }) => headers['traceparent'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(called.received.at(-1)?.headers['traceparent']).toBeUndefined();
});
