import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type RateLimit, rateLimits } from '../../server/src/http/rate-limits.ts';
import { Refused } from '../../server/src/http/refused.ts';

const requests: RateLimit = { policy: 'requests', limit: 600 };
const limits: RateLimit[] = [requests, { policy: 'uploads', limit: 60 }];

/** The budgets of one caller over a store that answers after 20 ms and grants whatever there is. */
function givenBudgets() {
  const booked = new Map<string, number>();
  return rateLimits(
    async ({ subject, used, wanted, limit }) => {
      await sleep(20);
      const before = (booked.get(subject) ?? 0) + used;
      booked.set(subject, before + wanted);
      return Math.max(0, Math.min(wanted, limit - before));
    },
    () => 0,
  );
}

test('where a wait for one budget meets the end of another, every refusal is heard by whoever asked', async () => {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => void unheard.push(reason);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));

  const budgets = givenBudgets();
  const take = async (wanted: RateLimit[]) => budgets.take('caller', wanted);
  const uploads = (count: number) => Promise.allSettled(Array.from({ length: count }, () => take(limits)));
  await uploads(70);
  const refused = await uploads(700);
  // Waits behind all of them, until nothing is left to be leased.
  await expect(take([requests])).rejects.toThrow(Refused);
  await sleep(0);

  for (const outcome of refused)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Refused) });
  expect(unheard).toEqual([]);
});

test('a budget with room is counted at once, without a wait for the store', () => {
  expect(givenBudgets().take('caller', limits)).toEqual({
    RateLimit: '"requests";r=599;t=60, "uploads";r=59;t=60',
    'RateLimit-Policy': '"requests";q=600;w=60, "uploads";q=60;w=60',
  });
});
