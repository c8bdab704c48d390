import { createHash } from 'node:crypto';
import { isObject } from '../domain/objects.ts';
import type { Database } from '../store/database.ts';
import { claimIdempotencyKey, type IdempotentRequest, saveResponse } from '../store/idempotency-keys.ts';
import { isStoredFile } from './downloads.ts';
import { isRefusal, type Refusal, refuse } from './operation.ts';

/** What a handler of any operation returned. */
export type HandlerResult = Refusal | Success;

export interface Success {
  status: number;
  /** The media type, if the contract declares several. */
  type?: string;
  body?: unknown;
  headers?: Record<string, unknown>;
  /** This is the stored first response. */
  replayed?: true;
}

/** How a response that contains a secret is stored, so that no table holds the secret. */
export interface ResponseStorage {
  /** The value to store instead of the body. */
  keep(body: unknown): unknown;
  /** The original body. */
  restore(kept: unknown): unknown;
}

const asItIs: ResponseStorage = { keep: (body) => body, restore: (kept) => kept };

/** A digest of everything that makes two requests equal. A file counts by name, type and its own digest. */
export function requestDigest(operationId: string, path: object, query: object, body: unknown): Buffer {
  const text = JSON.stringify([operationId, path, query, withFileDigests(body)]);
  return createHash('sha256').update(text).digest();
}

/** A file is a field of a form, never nested in one. */
function withFileDigests(body: unknown): unknown {
  if (!isObject(body) || !Object.values(body).some(isStoredFile)) return body;
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    isStoredFile(value) ? [value.name, value.contentType, value.sha256.toString('hex')] : value,
  ]);
  return Object.fromEntries(fields);
}

/**
 * Runs a change once per key, in the transaction of the change. The first response, a refusal included, is
 * repeated for 24 hours.
 */
export async function once(
  transaction: Database,
  request: IdempotentRequest,
  change: () => Promise<HandlerResult>,
  keeping: ResponseStorage = asItIs,
): Promise<HandlerResult> {
  const claim = await claimIdempotencyKey(transaction, request);
  switch (claim.kind) {
    case 'in_use':
      return refuse(409, 'idempotency_key_in_use');
    case 'reused':
      return refuse(422, 'idempotency_key_reused');
    case 'completed':
      return replay(claim, keeping);
    case 'new': {
      const result = await change();
      // Permissions can change within 24 hours, so such a refusal does not use the key.
      if (result.status === 401 || result.status === 403) return result;
      const body = isRefusal(result) ? { errors: result.errors } : keeping.keep(result.body);
      await saveResponse(transaction, request, { status: result.status, body });
      return result;
    }
  }
}

/** A repeated refusal is a new occurrence: it has the fingerprint of this request. */
function replay(
  { status, body }: { status: number; body: unknown },
  { restore }: ResponseStorage,
): HandlerResult {
  if (status >= 400) return { status, errors: (body as Pick<Refusal, 'errors'>).errors };
  return { status, body: restore(body) ?? undefined, replayed: true };
}
