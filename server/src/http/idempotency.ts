import { createHash } from 'node:crypto';
import type { Database } from '../store/database.ts';
import { claimIdempotencyKey, type IdempotentRequest, keepAnswer } from '../store/idempotency-keys.ts';
import { isRefusal, type Refusal, refuse } from './operation.ts';

/** What a handler gave, whichever operation it is of. */
export type Answer = Refusal | Success;

export interface Success {
  status: number;
  /** The media type, where the contract declares several. */
  type?: string;
  body?: unknown;
  headers?: Record<string, unknown>;
  /** This is the stored first answer, not a new one. */
  replayed?: true;
}

/** One digest for all that makes two requests the same. A file counts by its name, type and own digest. */
export function requestDigest(operationId: string, path: object, query: object, body: unknown): Buffer {
  const text = JSON.stringify([operationId, path, query, body], (_name, value: unknown) =>
    isStoredFile(value) ? [value.name, value.contentType, value.sha256.toString('hex')] : value,
  );
  return createHash('sha256').update(text).digest();
}

/**
 * Lets a change happen once for a key, in the transaction of the change: what is answered first, be it a
 * refusal, is answered again for 24 hours.
 */
export async function once(
  transaction: Database,
  request: IdempotentRequest,
  change: () => Promise<Answer>,
): Promise<Answer> {
  const claim = await claimIdempotencyKey(transaction, request);
  switch (claim.kind) {
    case 'in_use':
      return refuse(409, 'idempotency_key_in_use');
    case 'reused':
      return refuse(422, 'idempotency_key_reused');
    case 'answered':
      return replay(claim);
    case 'new': {
      const answer = await change();
      const body = isRefusal(answer) ? { errors: answer.errors } : answer.body;
      await keepAnswer(transaction, request, { status: answer.status, body });
      return answer;
    }
  }
}

/** A refusal is told again as a new occurrence: its fingerprint is the repeat's own. */
function replay({ status, body }: { status: number; body: unknown }): Answer {
  if (status >= 400) return { status, errors: (body as Pick<Refusal, 'errors'>).errors };
  return { status, body: body ?? undefined, replayed: true };
}

function isStoredFile(value: unknown): value is { name: string; contentType: string; sha256: Buffer } {
  return typeof value === 'object' && value !== null && 'sha256' in value && Buffer.isBuffer(value.sha256);
}
