import { createHash } from 'node:crypto';
import { isObject } from '../domain/objects.ts';
import type { Database } from '../store/database.ts';
import { claimIdempotencyKey, type IdempotentRequest, keepAnswer } from '../store/idempotency-keys.ts';
import { isStoredFile } from './downloads.ts';
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

/** How a success that holds a secret is kept for its key: no table holds the secret. */
export interface AnswerKeeping {
  /** What is stored instead of the body. */
  keep(body: unknown): unknown;
  /** The very body again. */
  restore(kept: unknown): unknown;
}

const asItIs: AnswerKeeping = { keep: (body) => body, restore: (kept) => kept };

/** One digest for all that makes two requests the same. A file counts by its name, type and own digest. */
export function requestDigest(operationId: string, path: object, query: object, body: unknown): Buffer {
  const text = JSON.stringify([operationId, path, query, withFileDigests(body)]);
  return createHash('sha256').update(text).digest();
}

/** Files are fields of a form, never inside of one. */
function withFileDigests(body: unknown): unknown {
  if (!isObject(body) || !Object.values(body).some(isStoredFile)) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    isStoredFile(value) ? [value.name, value.contentType, value.sha256.toString('hex')] : value,
  ]);
  return Object.fromEntries(fields);
}

/**
 * Lets a change happen once for a key, in the transaction of the change: what is answered first, be it a
 * refusal, is answered again for 24 hours.
 */
export async function once(
  transaction: Database,
  request: IdempotentRequest,
  change: () => Promise<Answer>,
  keeping: AnswerKeeping = asItIs,
): Promise<Answer> {
  const claim = await claimIdempotencyKey(transaction, request);
  switch (claim.kind) {
    case 'in_use':
      return refuse(409, 'idempotency_key_in_use');
    case 'reused':
      return refuse(422, 'idempotency_key_reused');
    case 'answered':
      return replay(claim, keeping);
    case 'new': {
      const answer = await change();
      // What the caller may do can change within those hours, so such a refusal leaves the key free.
      if (answer.status === 401 || answer.status === 403) return answer;
      const body = isRefusal(answer) ? { errors: answer.errors } : keeping.keep(answer.body);
      await keepAnswer(transaction, request, { status: answer.status, body });
      return answer;
    }
  }
}

/** A refusal is told again as a new occurrence: its fingerprint is the repeat's own. */
function replay({ status, body }: { status: number; body: unknown }, { restore }: AnswerKeeping): Answer {
  if (status >= 400) return { status, errors: (body as Pick<Refusal, 'errors'>).errors };
  return { status, body: restore(body) ?? undefined, replayed: true };
}
