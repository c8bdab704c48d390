import type { Path, Problem } from './problems.ts';

/** Every second occurrence of a key is a problem. */
export function repeated(entries: [key: string | undefined, path: Path][], message: string): Problem[] {
  const seen = new Set<string>();
  return entries.flatMap(([key, path]) => {
    if (key === undefined) return [];
    if (seen.has(key)) return [{ path, message }];
    seen.add(key);
    return [];
  });
}
