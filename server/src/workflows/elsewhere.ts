/** Thrown to undo a transaction: the thread was taken on elsewhere, or its execution has ended. Nothing is wrong. */
export class Elsewhere extends Error {
  constructor() {
    super('The thread is elsewhere.');
    this.name = 'Elsewhere';
  }
}

/** @throws Elsewhere where a checkpoint found its thread elsewhere */
export function assertHere(moved: boolean): asserts moved {
  if (!moved) throw new Elsewhere();
}
