import { createHash } from 'node:crypto';
import { uuidOf } from './identifiers.ts';

/** The place of an entry in a list that is ordered by creation, then by id. */
export interface Position {
  createdAt: Date;
  id: string;
}

const digestBytes = 6;

/**
 * The cursor of the position after an entry: 8 bytes of milliseconds since 1970, the identifier, and a digest of both and
 * of the list, so that the cursor of another list is not mistaken for the end of this one. It grants nothing: whoever
 * computes one gets what the list shows them anyway.
 *
 * @param list its name and filters
 */
export function cursorOf(list: string, { createdAt, id }: Position): string {
  const bytes = Buffer.alloc(24);
  bytes.writeBigInt64BE(BigInt(createdAt.getTime()));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return Buffer.concat([bytes, digestOf(list, bytes)]).toString('base64url');
}

/** @returns undefined if the cursor is not one of the list */
export function positionOf(list: string, cursor: string): Position | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(0, 24);
  if (!digestOf(list, position).equals(bytes.subarray(24))) return undefined;
  return { createdAt: new Date(Number(position.readBigInt64BE())), id: uuidOf(position.subarray(8)) };
}

function digestOf(list: string, position: Buffer): Buffer {
  return createHash('sha256').update(list).update('\0').update(position).digest().subarray(0, digestBytes);
}
