export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Whether arrays and objects are nested deeper than `max` levels. It does not recurse. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.filter((each) => typeof each === 'object' && each !== null);
    if (depth === max && level.length > 0) return true;
    level = level.flatMap((each) => Object.values(each as object));
  }
  return false;
}
