import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Outcome } from '../../asl/index.ts';
import { transact } from '../../postgres-client/index.ts';
import type { DerivedKeys } from '../domain/derived-keys.ts';
import { uuidOf } from '../domain/identifiers.ts';
import type { Jobs } from '../jobs/jobs.ts';
import {
  awaitsCallback,
  type CallbackStep,
  completeCallback,
  recordHeartbeat,
} from '../store/callback-steps.ts';
import type { Database } from '../store/database.ts';

/** `closed`: the step has been completed, or does not wait any more. */
export type CallbackOutcome = 'accepted' | 'closed';

export type Callbacks = ReturnType<typeof callbacks>;

/** How other systems complete steps that wait for a callback. */
export function callbacks({
  database,
  jobs,
  tokens,
  now,
}: {
  database: Database;
  jobs: Jobs;
  tokens: CallbackTokens;
  now(): Date;
}) {
  return {
    /** The step of a token, without a database query; undefined for a token that was never issued. */
    stepOf: (token: string) => tokens.read(token),
    isWaiting: (step: CallbackStep) => awaitsCallback(database, step),
    /** Completes a step; the first callback counts. @param assertWanted called in the transaction; throws to cancel it */
    async complete(
      step: CallbackStep,
      outcome: Exclude<Outcome, { kind: 'elapsed' }>,
      assertWanted: () => void,
    ): Promise<CallbackOutcome> {
      return transact(database, async (transaction) => {
        assertWanted();
        const completed = await completeCallback(transaction, step, outcome);
        if (!completed) return 'closed';
        // While the request of the task is in progress, its job continues the thread.
        if (completed.awaiting === 'callback') {
          const { threadId } = step;
          await jobs.enqueue(transaction, 'execution-step', { threadId, turn: completed.turn });
        }
        return 'accepted';
      });
    },
    /** Restarts the step's heartbeat interval. */
    heartbeat: async (step: CallbackStep): Promise<CallbackOutcome> =>
      (await recordHeartbeat(database, step, now())) ? 'accepted' : 'closed',
  };
}

export type CallbackTokens = ReturnType<typeof callbackTokens>;

const threadBytes = 16;
const stepBytes = 6;
const addressBytes = threadBytes + stepBytes;
const tokenPattern = /^[A-Za-z0-9_-]{72}$/;

/**
 * The secrets with which other systems complete a waiting step. A token is derived from the step and a key, so it is
 * not stored, and a retried step has the same one, until the key is replaced.
 */
export function callbackTokens(keys: DerivedKeys) {
  const sign = (key: KeyObject, address: Buffer) =>
    createHmac('sha256', key).update('callback\n').update(address).digest();
  return {
    of({ threadId, step }: CallbackStep): string {
      const address = Buffer.alloc(addressBytes);
      address.write(threadId.replaceAll('-', ''), 'hex');
      address.writeUIntBE(step, threadBytes, stepBytes);
      return Buffer.concat([address, sign(keys.current, address)]).toString('base64url');
    },
    /** @returns undefined for a token that was not issued with these keys */
    read(token: string): CallbackStep | undefined {
      if (!tokenPattern.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const address = bytes.subarray(0, addressBytes);
      const isOf = (key: KeyObject) => timingSafeEqual(bytes.subarray(addressBytes), sign(key, address));
      if (!keys.accepted.some(isOf)) return undefined;
      return { threadId: uuidOf(address), step: address.readUIntBE(threadBytes, stepBytes) };
    },
  };
}
