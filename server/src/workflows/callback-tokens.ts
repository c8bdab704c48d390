import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { uuidOf } from '../domain/identifiers.ts';
import type { CallbackStep } from '../store/callback-steps.ts';

export type CallbackTokens = ReturnType<typeof callbackTokens>;

const threadBytes = 16;
const stepBytes = 6;
const addressBytes = threadBytes + stepBytes;
const tokenPattern = /^[A-Za-z0-9_-]{72}$/;

/**
 * The secrets with which other systems complete a waiting step. A token is derived from the step and a key, so it is
 * not stored, and a retried step has the same one.
 */
export function callbackTokens(key: KeyObject | Buffer) {
  const sign = (address: Buffer) => createHmac('sha256', key).update('callback\n').update(address).digest();
  return {
    of({ threadId, step }: CallbackStep): string {
      const address = Buffer.alloc(addressBytes);
      address.write(threadId.replaceAll('-', ''), 'hex');
      address.writeUIntBE(step, threadBytes, stepBytes);
      return Buffer.concat([address, sign(address)]).toString('base64url');
    },
    /** @returns undefined for a token that was not issued with this key */
    read(token: string): CallbackStep | undefined {
      if (!tokenPattern.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const address = bytes.subarray(0, addressBytes);
      if (!timingSafeEqual(bytes.subarray(addressBytes), sign(address))) return undefined;
      return { threadId: uuidOf(address), step: address.readUIntBE(threadBytes, stepBytes) };
    },
  };
}
