import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { profiler, topFunctions } from '../../scripts/bench/profile.ts';

test('a profile names the function that keeps the processor busy, and its file', async () => {
  const { start, stop } = profiler();
  await start();
  await setImmediate();
  busyWork(performance.now() + 100);
  const [first] = await stop();
  expect(first).toMatchObject({ name: 'busyWork', file: expect.stringMatching(/^test\/bench\/profile/) });
  expect(first?.share).toBeGreaterThan(0.3);
});

function busyWork(until: number): number {
  let sum = 0;
  while (performance.now() < until) for (let each = 0; each < 10_000; each++) sum += Math.sqrt(each);
  return sum;
}

test('samples of a function add up, and idle time does not count', () => {
  const node = (id: number, functionName: string, url: string) => ({
    ...{ id, hitCount: 1, children: [] },
    callFrame: { functionName, url, scriptId: '1', lineNumber: 1, columnNumber: 1 },
  });
  const query = new URL('../../node_modules/pg/lib/query.js', import.meta.url).href;
  const reply = new URL('../../server/src/http/reply.ts', import.meta.url).href;
  const profile = {
    nodes: [
      node(1, 'submit', query),
      node(2, '(idle)', ''),
      node(3, 'reply', reply),
      node(4, 'submit', query),
    ],
    samples: [1, 2, 3, 4],
    timeDeltas: [100, 1_000, 200, 300],
    startTime: 0,
    endTime: 1_600,
  };
  expect(topFunctions(profile)).toEqual([
    { name: 'submit', file: 'pg/lib/query.js', share: 4 / 6 },
    { name: 'reply', file: 'server/src/http/reply.ts', share: 2 / 6 },
  ]);
  expect(topFunctions(profile, 1)).toHaveLength(1);
});
