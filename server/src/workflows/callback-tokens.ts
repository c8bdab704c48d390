import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { uuidOf } from '../domain/identifiers.ts';

/** What a token answers: a thread at a step. */
export interface CallbackAddress {
  threadId: string;
  step: number;
}

/**
 * The secrets with which outside systems answer a waiting step. They are made from the step's address and a key,
 * so none is stored, and a repeat of the step gives the same one.
 */
export interface CallbackTokens {
  of(address: CallbackAddress): string;
  /** @returns undefined for what was not made here */
  read(token: string): CallbackAddress | undefined;
}

const threadBytes = 16;
const stepBytes = 6;
const addressBytes = threadBytes + stepBytes;
const form = /^[A-Za-z0-9_-]{72}$/;

export function callbackTokens(key: KeyObject | Buffer): CallbackTokens {
  const sign = (address: Buffer) => createHmac('sha256', key).update('callback\n').update(address).digest();
  return {
    of({ threadId, step }) {
      const address = Buffer.alloc(addressBytes);
      address.write(threadId.replaceAll('-', ''), 'hex');
      address.writeUIntBE(step, threadBytes, stepBytes);
      return Buffer.concat([address, sign(address)]).toString('base64url');
    },
    read(token) {
      if (!form.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      const address = bytes.subarray(0, addressBytes);
      if (!timingSafeEqual(bytes.subarray(addressBytes), sign(address))) return undefined;
      return { threadId: uuidOf(address), step: address.readUIntBE(threadBytes, stepBytes) };
    },
  };
}
