import { expect } from 'vitest';
import type { JsonObject } from '../../server/json/index.ts';
import { type Retry, retryExecution } from '../../server/src/workflows/retry.ts';
import type { ApiSettings } from '../support/api.ts';
import { json, otherSystem, workflowWorld } from './support.ts';

/** A retry by an operator. */
export const byAda = (at: Date): Retry['origin'] => ({
  actor: { kind: 'operator', name: 'ada' },
  action: 'execution retry',
  source: 'test',
  at,
});

/** A platform, and functions that let executions fail and retry them. */
export async function retryWorld(settings: ApiSettings = {}) {
  const platform = await workflowWorld(settings);
  const { executions, begin, threadsOf, database, jobs, clock } = platform;
  const retry = (executionId: string, options: Partial<Retry> = {}) =>
    retryExecution(
      { database, jobs, now: clock.now() },
      { executionId, origin: byAda(clock.now()), ...options },
    );
  return {
    ...platform,
    retry,
    /** Begins states, which fail. @returns their execution */
    async failed(states: JsonObject, fields: JsonObject = {}) {
      const execution = await begin(states, { fields });
      await executions.ended(execution, 'FAILED');
      return execution;
    },
    /** Retries an execution to its end. @returns its result */
    async retried({ id }: { id: string }, options: Partial<Retry> = {}): Promise<unknown> {
      expect(await retry(id, options)).toMatchObject({ kind: 'retried', version: 3 });
      await executions.ended({ id });
      expect(await threadsOf(id)).toEqual([]);
      return (await executions.result(id)).json();
    },
  };
}

export const branch = (states: JsonObject): JsonObject => ({
  StartAt: Object.keys(states)[0] as string,
  States: states,
});

/** The output of a state whose result is not an object. */
export const result = { Output: { all: '{% $states.result %}' }, End: true };

/** Another system. Its calls fail while `isDown`: those with a body of `failing`, or all. It responds after `hold`. */
export async function partner(...failing: string[]) {
  const hold = async (_body: string, _count: number) => {};
  const state = { isDown: true, now: 0, most: 0, hold };
  const counts: Record<string, number> = {};
  const system = await otherSystem(async ({ body }, response) => {
    const count = (counts[body] ?? 0) + 1;
    counts[body] = count;
    state.most = Math.max(state.most, ++state.now);
    await state.hold(body, count);
    if (!state.isDown) await new Promise((resolve) => setTimeout(resolve, 20));
    state.now -= 1;
    const fails = state.isDown && (failing.length === 0 || failing.includes(body));
    json(response, fails ? 503 : 200, body);
  });
  const call = (body: string, fields: JsonObject = {}): JsonObject => ({
    Type: 'Task',
    Resource: 'wrp:http:call',
    Arguments: { url: system.url, method: 'POST', headers: { 'Content-Type': 'text/plain' }, body },
    Output: '{% $states.result.body %}',
    ...(fields['Next'] ? {} : { End: true }),
    ...fields,
  });
  const mend = () => Object.assign(state, { isDown: false, most: 0 });
  return { ...system, state, counts, call, mend };
}

/** A Map whose items each call the system. */
export const squares = (system: Awaited<ReturnType<typeof partner>>, fields: JsonObject): JsonObject => ({
  Each: {
    Type: 'Map',
    ItemProcessor: branch({ Call: system.call('{% $string($states.input) %}') }),
    ...result,
    ...fields,
  },
});
