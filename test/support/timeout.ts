import { availableParallelism, loadavg } from 'node:os';

/**
 * How many milliseconds to wait for what takes far less on an idle machine, before it counts as hung: as many times
 * longer as there are processes that want to run for each processor, and at least twice as long, because the load of
 * the last minute does not show what has just begun.
 */
export function scaledTimeout(milliseconds: number): number {
  const [oneMinute = 0, fiveMinutes = 0] = loadavg();
  const load = Math.max(oneMinute, fiveMinutes) / availableParallelism();
  return Math.ceil(milliseconds * Math.max(2, load));
}
