import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { DerivedKeys } from './derived-keys.ts';
import { uuidOf } from './identifiers.ts';

/** The step of a thread that waits for a callback. */
export interface CallbackStep {
  threadId: string;
  step: number;
}

export type CallbackTokens = ReturnType<typeof callbackTokens>;

const threadBytes = 16;
const stepBytes = 6;
const addressBytes = threadBytes + stepBytes;
/** The form of a token: 22 bytes of address and 32 bytes of HMAC, base64url. */
export const callbackTokenPattern = /^[A-Za-z0-9_-]{72}$/;

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
      if (!callbackTokenPattern.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const address = bytes.subarray(0, addressBytes);
      const isOf = (key: KeyObject) => timingSafeEqual(bytes.subarray(addressBytes), sign(key, address));
      if (!keys.accepted.some(isOf)) return undefined;
      return { threadId: uuidOf(address), step: address.readUIntBE(threadBytes, stepBytes) };
    },
  };
}
