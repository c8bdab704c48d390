/** Rolls a transaction back: another job moved the thread on, or its execution has ended. Not an error. */
export class StaleCheckpointError extends Error {
  constructor() {
    super('The thread is past this checkpoint.');
    this.name = 'StaleCheckpointError';
  }
}

/** @throws StaleCheckpointError if the thread was past the checkpoint */
export function assertCurrent(moved: boolean): asserts moved {
  if (!moved) throw new StaleCheckpointError();
}
