/** The first signal shuts the mock down, the second ends it at once. */
export function endOnSignals(close: () => Promise<void>): void {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopped) process.exit(1);
      stopped = true;
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}
