import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { type Retry, retryExecution } from '../../server/src/workflows/retry.ts';
import { until } from '../support/waiting.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

const platform = await workflowWorld({ maxHistoryEntries: 300 });
const { executions, begin, failureOf, threadsOf, historyOf, database, jobs, clock, pass } = platform;

const retry = (executionId: string, options: Partial<Retry> = {}) =>
  retryExecution({ database, jobs, now: clock.now() }, { executionId, by: 'ada', ...options });

const branch = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});
const wait = (seconds: number, output: JsonObject): JsonObject => ({
  Rest: { Type: 'Wait', Seconds: seconds, Output: output, End: true },
});
const all = { Output: { all: '{% $states.result %}' }, End: true };

/** Another system whose calls fail while `isDown`: those with a body of `failing` only, if there are such. */
async function partner() {
  const state = { isDown: true, failing: undefined as string[] | undefined };
  const counts = new Map<string, number>();
  const system = await otherSystem(({ body }, response) => {
    counts.set(body, (counts.get(body) ?? 0) + 1);
    const fails = state.isDown && (state.failing?.includes(body) ?? true);
    json(response, fails ? 503 : 200, { body });
  });
  const call = (body: string, fields: JsonObject = {}): JsonObject => ({
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: system.url, method: 'POST', body },
    Output: { body: '{% $states.result.body.body %}' },
    End: true,
    ...fields,
  });
  const keys = () => system.received.map(({ headers }) => headers['idempotency-key']);
  return { ...system, state, counts, call, keys };
}

/** Runs states until they fail, changes what made them fail, and retries them. @returns the result */
async function retried(
  states: JsonObject,
  mend: () => void,
  { fields, ...options }: Partial<Retry> & { fields?: JsonObject } = {},
) {
  const execution = await begin(states, { ...(fields && { fields }) });
  await executions.ended(execution, 'FAILED');
  mend();
  expect(await retry(execution.id, options)).toMatchObject({ kind: 'retried', version: 3 });
  await executions.ended(execution);
  expect(await threadsOf(execution.id)).toEqual([]);
  return (await executions.result(execution.id)).json();
}

describe('a retry', () => {
  test('calls the system of a Task again, with a new key, and keeps what came before', async () => {
    const system = await partner();
    const before = await partner();
    before.state.isDown = false;
    const result = await retried(
      {
        Before: before.call('first', { End: undefined as never, Assign: { kept: 1 }, Next: 'Call' }),
        Call: system.call('second', { Output: { kept: '{% $kept %}', input: '{% $states.input %}' } }),
      },
      () => {
        system.state.isDown = false;
      },
    );
    expect(result).toEqual({ kept: 1, input: { body: 'first' } });
    expect(before.received).toHaveLength(1);
    expect(new Set(system.keys()).size).toBe(2);
  });
});
