/** A body of which fewer bytes arrive within its timeout counts as stalled, so that a trickle does not keep it open. */
const leastBytes = 1024;

/**
 * Calls `stalled` if less than 1 KiB of a body arrives within `milliseconds`.
 *
 * @param stalled may restart the timeout with `refresh`
 */
export function arrivalTimeout(milliseconds: number, stalled: () => void) {
  let arrived = 0;
  let stalling: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // After the sockets are read: if the process was held, bytes may have arrived meanwhile.
    stalling = setImmediate(stalled);
  }, milliseconds);
  const refresh = () => {
    arrived = 0;
    clearImmediate(stalling);
    timer.refresh();
  };
  return {
    arrived(bytes: number): void {
      arrived += bytes;
      if (arrived >= leastBytes) refresh();
    },
    refresh,
    end() {
      clearTimeout(timer);
      clearImmediate(stalling);
    },
  };
}
