import { pointerTo } from '../../../domain/json-pointer.ts';

/** What is wrong with a definition, and where: a JSON pointer (RFC 6901). */
export interface Problem {
  path: string;
  message: string;
}

/** The pointer to a member of what `path` points to. */
export function at(path: string, key: string | number): string {
  return `${path}${pointerTo(key)}`;
}

export type Report = (path: string, message: string) => void;

/** Whether arrays and objects stand in each other more than `most` deep; asked without recursion. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most + 1) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
