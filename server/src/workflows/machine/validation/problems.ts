import { pointerTo } from '../../../domain/json-pointer.ts';

/** A problem of a definition. `path` is a JSON Pointer (RFC 6901). */
export interface Problem {
  path: string;
  message: string;
}

/** The pointer to a member of the value at `path`. */
export function at(path: string, key: string | number): string {
  return `${path}${pointerTo(key)}`;
}

export type Report = (path: string, message: string) => void;

/** Whether arrays and objects are nested deeper than `max` levels. It does not recurse. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max + 1) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
