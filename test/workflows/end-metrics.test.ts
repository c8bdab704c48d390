import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { WorkflowExecution } from '../../generated/types.ts';
import type { JsonObject } from '../../server/json/index.ts';
import { endLabels } from '../../server/src/observability/end-labels.ts';
import { cloneDatabase } from '../support/postgres.ts';
import { until } from '../support/waiting.ts';
import { wrpOn } from '../support/wrp.ts';
import { retryWorld } from './retry-world.ts';

const { connectionString } = await cloneDatabase();
const platform = await retryWorld({ databaseUrl: connectionString, metricsPort: 0 });
const { executions, define, pass, retry } = platform;
const wrp = wrpOn(connectionString, 'execution');

/** The ends of a definition's executions, by `status error`. */
async function endsOf(definition: string): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${platform.metricsPort}/metrics`)).text();
  const series = text.matchAll(
    /^wrp_executions_ended_total\{environment="production",definition="(.*)",name="(.*)",status="(.*)",error="(.*)"\} (.*)$/gm,
  );
  const own = [...series].filter(([, id]) => id === definition);
  return Object.fromEntries(own.map(([, , , status, error, count]) => [`${status} ${error}`, Number(count)]));
}

const wait: JsonObject = { Rest: { Type: 'Wait', Seconds: 864_000, End: true } };
const failing = (name: string): JsonObject => ({ Stop: { Type: 'Fail', Error: name } });

const byItself = async (): Promise<void> => {};

describe('wrp_executions_ended_total', () => {
  test.each<
    [
      what: string,
      definition: [states: JsonObject, fields?: JsonObject],
      end: (execution: WorkflowExecution, definition: string) => Promise<unknown>,
      counted: string,
    ]
  >([
    ['succeeds', [{ Done: { Type: 'Succeed', Output: {} } }], byItself, 'COMPLETED '],
    ['fails in a state', [failing('Test.Refused')], byItself, 'FAILED Test.Refused'],
    ['fails without an error name', [{ Stop: { Type: 'Fail' } }], byItself, 'FAILED Fail'],
    [
      'fails with any characters',
      [failing('a"b\\c\n\u001b[1m')],
      byItself,
      'FAILED a\\"b\\\\c\ufffd\ufffd[1m',
    ],
    ['fails with a long error name', [failing('x'.repeat(300))], byItself, `FAILED ${'x'.repeat(64)}`],
    ['times out', [wait, { TimeoutSeconds: 600 }], () => pass(601), 'FAILED States.Timeout'],
    ['is cancelled by its caller', [wait], ({ id }) => executions.cancel(id), 'CANCELLED '],
    [
      'is cancelled by an operator',
      [wait],
      (_execution, definition) => wrp('cancel', '--definition', definition),
      'CANCELLED ',
    ],
    ['expires', [wait], () => pass(31 * 86_400), 'EXPIRED '],
  ])('counts an execution that %s', async (_what, [states, fields], end, counted) => {
    const workflowDefinitionId = await define(states, fields);
    const execution = await executions.start({ workflowDefinitionId });
    await end(execution, workflowDefinitionId);
    const ends = await until(async () => {
      const found = await endsOf(workflowDefinitionId);
      return Object.keys(found).length > 0 && found;
    });
    expect(ends).toEqual({ [counted]: 1 });
  });

  test('counts each end of an execution that is retried, and nothing twice', async () => {
    const workflowDefinitionId = await define(failing('Test.Again'));
    const execution = await executions.start({ workflowDefinitionId });
    await executions.ended(execution, 'FAILED');
    await retry(execution.id);
    await until(async () => (await endsOf(workflowDefinitionId))['FAILED Test.Again'] === 2);
    await sleep(500);
    expect(await endsOf(workflowDefinitionId)).toEqual({ 'FAILED Test.Again': 2 });
  });
});

describe('the labels of ends', () => {
  const failed = (definitionId: string, error: string) =>
    ({ definitionId, name: definitionId, status: 'FAILED', error }) as const;

  test('are bounded: the first 100 definitions, and the first 20 errors of each', () => {
    const labelsOf = endLabels();
    const all = new Map<string, Set<string>>();
    for (let definition = 1; definition <= 150; definition++)
      for (let error = 1; error <= 30; error++) {
        const labels = labelsOf(failed(`d${definition}`, `E${error}`));
        all.set(labels.definition, (all.get(labels.definition) ?? new Set()).add(labels.error));
      }
    expect(all.size).toBe(101);
    expect(all.get('d100')).toEqual(
      new Set([...Array.from({ length: 20 }, (_, index) => `E${index + 1}`), 'other']),
    );
    expect(all.get('other')).toEqual(new Set(['other']));
    expect(labelsOf(failed('d1', 'E20'))).toMatchObject({ definition: 'd1', error: 'E20' });
    expect(labelsOf({ ...failed('d1', 'E20'), name: 'renamed' })).toMatchObject({ definition: 'other' });
  });

  test('keep characters whole', () => {
    const { error } = endLabels()(failed('d', `${'x'.repeat(63)}\u{1f600}`));
    expect(error).toBe(`${'x'.repeat(63)}\ufffd`);
  });
});
