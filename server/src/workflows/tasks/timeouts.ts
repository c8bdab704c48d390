import type { MachineError } from '../../../asl/index.ts';
import type { Thread, ThreadTask } from '../../store/threads.ts';

/** Upper limit of TimeoutSeconds for a call; the job that makes the call expires five minutes later. */
const maxCallSeconds = 1_500;

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
  if (kind === 'call' && heartbeatSeconds !== null && heartbeatSeconds < maxCallSeconds) {
    const cause = `No heartbeat arrived within ${heartbeatSeconds} seconds.`;
    return { seconds: heartbeatSeconds, timeoutFailure: { error: 'States.HeartbeatTimeout', cause } };
  }
  const left =
    kind === 'callback' && timeoutAt ? (timeoutAt.getTime() - now.getTime()) / 1000 : timeoutSeconds;
  const cause = `The call did not end within ${Math.min(timeoutSeconds, maxCallSeconds)} seconds.`;
  const seconds = Math.min(Math.max(left, 0), maxCallSeconds);
  return { seconds, timeoutFailure: { error: 'States.Timeout', cause } };
}

/** The failure of a callback task at its deadline. */
export function missedBy(deadline: 'heartbeat' | 'callback'): MachineError {
  const error = deadline === 'heartbeat' ? 'States.HeartbeatTimeout' : 'States.Timeout';
  return { error, cause: `No ${deadline} arrived before the deadline.` };
}
