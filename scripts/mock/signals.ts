import { constants } from 'node:os';

/**
 * The first signal shuts the mock down, the second ends it at once. So does one while the mock starts: what it has begun
 * ends with the process.
 */
export function endOnSignals(started: Promise<unknown>, close: () => Promise<void>): void {
  let endsAtOnce = true;
  started.then(
    () => {
      endsAtOnce = false;
    },
    () => {},
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (endsAtOnce) process.exit(128 + constants.signals[signal]);
      endsAtOnce = true;
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
