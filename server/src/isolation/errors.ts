/** Why a task was stopped: it took too long or too much memory, or its process died for another reason. */
export type StopReason = 'time' | 'memory' | 'death';

/** The task was stopped with its process. Repeating it most likely ends the same way. */
export class TaskStoppedError extends Error {
  override name = 'TaskStoppedError';
  readonly reason: StopReason;

  constructor(reason: StopReason, detail: string) {
    super(`The task was stopped (${reason}): ${detail}`);
    this.reason = reason;
  }
}

/** The task threw; `cause` is the stack in its own process. */
export class TaskFailedError extends Error {
  override name = 'TaskFailedError';
}

/** Too many tasks wait for a process. */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError';
}

export class PoolClosedError extends Error {
  override name = 'PoolClosedError';
}
