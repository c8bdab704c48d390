/** A body of which fewer bytes arrive within its timeout counts as stalled, so that a trickle does not keep it open. */
const leastBytes = 1024;

/**
 * Calls `stalled` if less than 1 KiB of a body arrives within `milliseconds`.
 *
 * @param stalled may restart the timeout with `refresh`
 */
export function arrivalTimeout(milliseconds: number, stalled: () => void) {
  let arrived = 0;
  const timer = setTimeout(stalled, milliseconds);
  const refresh = () => {
    arrived = 0;
    timer.refresh();
  };
  return {
    arrived(bytes: number): void {
      arrived += bytes;
      if (arrived >= leastBytes) refresh();
    },
    refresh,
    end: () => clearTimeout(timer),
  };
}
