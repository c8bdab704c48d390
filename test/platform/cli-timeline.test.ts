import { expect, onTestFinished, test, vi } from 'vitest';
import { printTimeline } from '../../server/src/cli/execution-timeline.ts';
import type { ThreadHistoryEntry } from '../../server/src/store/execution-history.ts';
import type { DescribedExecution } from '../../server/src/store/execution-list.ts';

const at = new Date('2026-11-27T08:00:00Z');
const execution = {
  ...{ id: 'e', name: 'shown', revision: '1', version: 1, status: 'FAILED', workspace: { name: 'w' } },
  ...{ createdAt: at, endedAt: at, expiresAt: at, parameters: {}, startedBy: null, executionType: 'API' },
  ...{ recordId: null, error: 'E', cause: null, resultSize: null, pause: null },
} as unknown as DescribedExecution;

/** The rows that an entry of the history has: the event, and names and values below it. */
async function rowsOf(kind: string, detail: Record<string, unknown>): Promise<string[][]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line = '') => void lines.push(String(line)));
  onTestFinished(() => log.mockRestore());
  async function* history() {
    yield { sequence: 1, threadId: 't', at, kind, state: 'S', detail } as ThreadHistoryEntry;
  }
  await printTimeline(
    { execution, history: history(), threads: async () => [], pauses: [] },
    { full: false },
  );
  const [, ...rows] = lines.slice(lines.indexOf('') + 1);
  return rows.map((row) => row.trim().split(/ {2,}/));
}

const failed = { error: 'E', cause: 'c' };

test.each<[string, string, Record<string, unknown>, string[][]]>([
  [
    'a failed state',
    'failed',
    { ...failed, input: { n: 1 } },
    [
      ['failed with E', '0 ms', 'c'],
      ['input', '{"n":1}'],
    ],
  ],
  [
    'a failed state with a large input',
    'failed',
    { ...failed, inputSize: 70_000 },
    [
      ['failed with E', '0 ms', 'c'],
      ['input', '70000 bytes'],
    ],
  ],
  ['a failed state without an input', 'failed', failed, [['failed with E', '0 ms', 'c']]],
  ['a failed state without an error', 'failed', {}, [['failed', '0 ms']]],
  ['a state', 'state', { type: 'Pass', input: 1, output: 2 }, [['Pass', '0 ms', '1 → 2']]],
  [
    'a state that passes its input on',
    'state',
    { type: 'Pass', input: 1, output: 1 },
    [['Pass', '0 ms', '1']],
  ],
  ['a state without an input', 'state', { type: 'Pass', output: 2 }, [['Pass', '0 ms', '2']]],
  ['a state without values', 'state', { type: 'Pass' }, [['Pass', '0 ms']]],
  [
    'a state with large values',
    'state',
    { type: 'Pass', inputSize: 1, outputSize: 2, resultSize: 3, assignedSize: 4 },
    [
      ['Pass', '0 ms', '1 bytes → 2 bytes'],
      ['result', '3 bytes'],
      ['assigned', '4 bytes'],
    ],
  ],
  [
    'a caught error',
    'state',
    { type: 'Task', output: 2, failure: failed },
    [
      ['Task, caught E', '0 ms', '2'],
      ['cause', 'c'],
    ],
  ],
  ['a call', 'task', { resource: 'wrp:http:call', arguments: 1 }, [['calls wrp:http:call', '1']]],
  ['a call without arguments', 'task', { resource: 'wrp:http:call' }, [['calls wrp:http:call']]],
  [
    'a retry without a cause',
    'retry',
    { error: 'E', at: 'soon' },
    [['failed with E, retries at soon', '0 ms']],
  ],
  ['a retry of the execution', 'retried', { by: 'ada' }, [['retried by ada']]],
  ['a retry with an input', 'retried', { by: 'ada', input: 1 }, [['retried by ada', 'input 1']]],
])('wrp execution show prints %s', async (_what, kind, detail, rows) => {
  const [first = [], ...more] = await rowsOf(kind, detail);
  expect([first.slice(2), ...more]).toEqual(rows);
});
