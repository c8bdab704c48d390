/** Why a task was stopped: it exceeded its time or memory limit, or its process died for another reason. */
export type StopReason = 'time' | 'memory' | 'death';

/** The task was stopped with its process. A retry most likely has the same result. */
export class TaskStoppedError extends Error {
  override name = 'TaskStoppedError';
  readonly reason: StopReason;

  constructor(reason: StopReason, detail: string) {
    super(`The task was stopped (${reason}): ${detail}`);
    this.reason = reason;
  }
}

/** The task threw. The message is the stack from its process. */
export class TaskFailedError extends Error {
  override name = 'TaskFailedError';
}

/** Too many tasks are waiting for a process. */
export class PoolBusyError extends Error {
  override name = 'PoolBusyError';
}

export class PoolClosedError extends Error {
  override name = 'PoolClosedError';
}
