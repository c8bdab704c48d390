import { type MachineError, maximumCallSeconds } from '../../../asl/index.ts';
import type { Thread, ThreadTask } from '../../store/threads.ts';

/**
 * The timeout of a call. HeartbeatSeconds is a limit too, because a call cannot send heartbeats. The request of a
 * callback task has the remaining time of the step; the timeout of any other call restarts when its job is retried.
 */
export function callLimitOf(
  { task, timeoutAt }: Pick<Thread, 'task' | 'timeoutAt'>,
  kind: 'call' | 'callback',
  now: Date,
): { seconds: number; timeoutFailure: MachineError } {
  const { timeoutSeconds, heartbeatSeconds } = task as ThreadTask;
  if (kind === 'call' && heartbeatSeconds !== null && heartbeatSeconds < maximumCallSeconds) {
    const cause = `No heartbeat arrived within ${heartbeatSeconds} seconds.`;
    return { seconds: heartbeatSeconds, timeoutFailure: { error: 'States.HeartbeatTimeout', cause } };
  }
  const left =
    kind === 'callback' && timeoutAt ? (timeoutAt.getTime() - now.getTime()) / 1000 : timeoutSeconds;
  const cause = `The call did not end within ${Math.min(timeoutSeconds, maximumCallSeconds)} seconds.`;
  const seconds = Math.min(Math.max(left, 0), maximumCallSeconds);
  return { seconds, timeoutFailure: { error: 'States.Timeout', cause } };
}

/** The failure of a callback task at its deadline. */
export function missedBy(deadline: 'heartbeat' | 'callback'): MachineError {
  const error = deadline === 'heartbeat' ? 'States.HeartbeatTimeout' : 'States.Timeout';
  return { error, cause: `No ${deadline} arrived before the deadline.` };
}
