/** Rolls a transaction back: another job moved the thread on, or its execution has ended. Not an error. */
export class StaleCheckpointError extends Error {
  override name = 'StaleCheckpointError';

  constructor() {
    super('The thread has left this checkpoint.');
  }
}

/** @throws StaleCheckpointError if the thread has left its checkpoint */
export function assertCurrent(moved: boolean): asserts moved {
  if (!moved) throw new StaleCheckpointError();
}
