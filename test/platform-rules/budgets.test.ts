import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Refused } from '../../server/contract/index.ts';
import {
  type CountRefused,
  type RateLimit,
  rateLimits,
  refusedAttempts,
} from '../../server/src/http/rate-limits.ts';

const requests: RateLimit = { policy: 'requests', limit: 600 };
const limits: RateLimit[] = [requests, { policy: 'uploads', limit: 60 }];

/** The budgets of one caller over a store that responds after 20 ms and leases whatever is left. */
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

test('a caller who waits for one budget while another runs out is refused exactly once, without an unhandled rejection', async () => {
  const unheard: unknown[] = [];
  const listen = (reason: unknown) => void unheard.push(reason);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));

  const budgets = givenBudgets();
  const take = async (wanted: RateLimit[]) => budgets.take('caller', wanted);
  const uploads = (count: number) => Promise.allSettled(Array.from({ length: count }, () => take(limits)));
  await uploads(70);
  const refused = await uploads(700);
  // Waits behind all of them until nothing is left to lease.
  await expect(take([requests])).rejects.toThrow(Refused);
  await sleep(0);

  for (const outcome of refused)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Refused) });
  expect(unheard).toEqual([]);
});

test('a request counts against a leased block without waiting for the database', () => {
  expect(givenBudgets().take('caller', limits)).toEqual({
    RateLimit: '"requests";r=599;t=60, "uploads";r=59;t=60',
    'RateLimit-Policy': '"requests";q=600;w=60, "uploads";q=60;w=60',
  });
});

describe('refused attempts', () => {
  const from = (ip: string) => ({ ip, socket: {} }) as Parameters<CountRefused>[0];

  test('are counted for a bounded number of addresses; all others share one budget', () => {
    const count = refusedAttempts(2, () => 0, 3);
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']) count(from(ip));
    expect(() => count(from('192.0.2.6'))).toThrow(Refused);
    expect(() => count(from('192.0.2.1'))).not.toThrow();
  });

  test('are forgotten after a minute', () => {
    let at = 59_000;
    const count = refusedAttempts(1, () => at);
    count(from('192.0.2.1'));
    expect(() => count(from('192.0.2.1'))).toThrow(
      expect.objectContaining({ headers: expect.objectContaining({ 'Retry-After': '1' }) }),
    );
    at = 60_000;
    expect(() => count(from('192.0.2.1'))).not.toThrow();
  });

  test('are counted for the connection if a trusted proxy names no address', () => {
    const count = refusedAttempts(1, () => 0);
    const socket = { remoteAddress: '::ffff:192.0.2.9' };
    const request = (ip: string) => ({ ip, socket }) as Parameters<CountRefused>[0];
    count(request('unknown'));
    expect(() => count(request('fe80::1%eth0.1'))).not.toThrow();
    expect(() => count(from('192.0.2.9'))).toThrow(Refused);
  });
});
