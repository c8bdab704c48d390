import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { batch } from '../../server/postgres-client/batch.ts';

/** Work that ends on request, and records its batches. */
function heldWork() {
  const calls: number[][] = [];
  const ends: (() => void)[] = [];
  const work = async (items: number[]) => {
    calls.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => item * 10);
  };
  return { work, calls, endNext: () => ends.shift()?.() };
}

test('concurrent calls are batched, and each caller gets its own result', async () => {
  const calls: number[][] = [];
  const ten = batch(
    async (items: number[]) => {
      calls.push(items);
      return items.map((item) => item * 10);
    },
    { max: 10 },
  );
  expect(await Promise.all([1, 2, 3].map(ten))).toEqual([10, 20, 30]);
  expect(calls).toEqual([[1, 2, 3]]);
});

test('items that arrive while a batch runs form the next one, up to the maximum', async () => {
  const { work, calls, endNext } = heldWork();
  const ten = batch(work, { max: 2 });
  const first = ten(1);
  await expect.poll(() => calls).toEqual([[1]]);
  const others = [2, 3, 4].map(ten);
  await turn();
  expect(calls).toEqual([[1]]);
  endNext();
  expect(await first).toBe(10);
  await expect.poll(() => calls).toEqual([[1], [2, 3]]);
  endNext();
  await expect.poll(() => calls).toEqual([[1], [2, 3], [4]]);
  endNext();
  expect(await Promise.all(others)).toEqual([20, 30, 40]);
});

test('an item that fails does not fail the other items of its batch', async () => {
  const calls: number[][] = [];
  const ten = batch(
    async (items: number[]) => {
      calls.push(items);
      if (items.includes(2)) throw new Error('two');
      return items.map((item) => item * 10);
    },
    { max: 10 },
  );
  const results = await Promise.allSettled([1, 2, 3].map(ten));
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([10, 'two', 30]);
  expect(calls).toEqual([[1, 2, 3], [1], [2], [3]]);
  expect(await ten(4)).toBe(40);
});
