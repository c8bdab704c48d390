import { createHash } from 'node:crypto';
import { isRefusal, type Refusal, refuse } from '../../contract/index.ts';
import { isStoredFile } from '../../http-bodies/index.ts';
import { isObject } from '../../json/index.ts';
import type { Database } from '../store/database.ts';
import { claimIdempotencyKey, type IdempotentRequest, saveResponse } from '../store/idempotency-keys.ts';
import type { HandlerResult } from './operation.ts';
import type { ResourceLookup } from './served-operation.ts';

/** How a response that contains a secret is stored, so that no table holds the secret. */
export interface ResponseStorage {
  /** The value to store instead of the body. */
  keep(body: unknown): unknown;
  /** The original body. */
  restore(kept: unknown): unknown;
}

const asItIs: ResponseStorage = { keep: (body) => body, restore: (kept) => kept };

/**
 * A digest of everything that makes two requests equal. JSON counts by its values: neither white space nor the order of
 * names matters. A file counts by name, type and its own digest.
 */
export function requestDigest(operationId: string, path: object, query: object, body: unknown): Buffer {
  const text = JSON.stringify(inOrder([operationId, path, query, withFileDigests(body)]));
  return createHash('sha256').update(text).digest();
}

/**
 * A value whose objects have their names in one order. Copies only what is in another one, so that V8 can write most
 * bodies at once: a mebibyte of it takes 10 ms, and of small objects in another order 35 ms.
 */
function inOrder(value: unknown, shapes: Shapes = new Map()): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return arrayInOrder(value, shapes);
  const object = value as Record<string, unknown>;
  const names = Object.keys(object);
  const isOrdered = names.every((name, at) => at === 0 || name > (names[at - 1] as string));
  let copy: Record<string, unknown> | undefined = isOrdered ? undefined : {};
  for (const name of isOrdered ? names : sortedNames(names, shapes)) {
    const inner = object[name];
    const ordered = typeof inner === 'object' ? inOrder(inner, shapes) : inner;
    if (!copy && ordered !== inner) copy = { ...object };
    if (copy) set(copy, name, ordered);
  }
  return copy ?? object;
}

function arrayInOrder(items: unknown[], shapes: Shapes): unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (typeof item !== 'object') continue;
    const ordered = inOrder(item, shapes);
    if (ordered === item) continue;
    copy ??= items.slice();
    copy[at] = ordered;
  }
  return copy ?? items;
}

/** An assignment would take `__proto__` for the prototype. */
function set(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Names of objects and their order, by the first name: a list has many objects with the same names. */
type Shapes = Map<string, { names: string[]; sorted: string[] }>;

function sortedNames(names: string[], shapes: Shapes): string[] {
  const [first = ''] = names;
  const last = shapes.get(first);
  if (last?.names.length === names.length && names.every((name, at) => name === last.names[at]))
    return last.sorted;
  const sorted = names.toSorted();
  shapes.set(first, { names, sorted });
  return sorted;
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
 * Refusals that do not depend on the change: permissions, limits and the state of the platform can be others at the
 * next attempt.
 */
const undecided: ReadonlySet<number> = new Set([401, 403, 408, 413, 415, 429]);

/**
 * Runs a change once per key, in the transaction of the change. The first response, a refusal included, is
 * repeated for 24 hours.
 */
export async function withIdempotencyKey(
  transaction: Database,
  request: IdempotentRequest,
  {
    change,
    keeping = asItIs,
    lookup,
  }: {
    change: () => Promise<HandlerResult>;
    keeping?: ResponseStorage | undefined;
    lookup: ResourceLookup | undefined;
  },
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
      const { status } = result;
      if (undecided.has(status) || status >= 500 || isMissing(result, lookup)) return result;
      const body = isRefusal(result) ? { errors: result.errors } : keeping.keep(result.body);
      await saveResponse(transaction, request, { status, body });
      return result;
    }
  }
}

/** The target object was deleted after its permission was checked. */
function isMissing(result: HandlerResult, lookup: ResourceLookup | undefined): boolean {
  if (result.status !== 404 || !isRefusal(result) || !lookup) return false;
  return result.errors.some(({ code }) => code === lookup.missing || code === lookup.partMissing);
}

/** A repeated refusal is a new occurrence: it has the fingerprint of this request. */
function replay(
  { status, body }: { status: number; body: unknown },
  { restore }: ResponseStorage,
): HandlerResult {
  if (status >= 400) return { status, errors: (body as Pick<Refusal, 'errors'>).errors, replayed: true };
  return { status, body: restore(body) ?? undefined, replayed: true };
}
