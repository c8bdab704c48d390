import { pointerTo } from '../../json/index.ts';

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
