import type { TaskState } from '../definition.ts';
import { queryFailure } from '../failure.ts';
import { bounds, defaultTimeoutSeconds, numberOf } from '../fields.ts';
import { leaveWithResult } from '../leave.ts';
import { withFewValues } from '../size.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Task State. Arguments defaults to the input, Output to the result. */
export const task: StateBehaviour<TaskState> = {
  enter(visit) {
    const { Resource, Arguments, TimeoutSeconds = defaultTimeoutSeconds, HeartbeatSeconds } = visit.state;
    const timeoutSeconds = numberOf(visit, TimeoutSeconds, 'TimeoutSeconds', bounds.taskSeconds);
    const heartbeatSeconds =
      HeartbeatSeconds === undefined
        ? undefined
        : numberOf(visit, HeartbeatSeconds, 'HeartbeatSeconds', bounds.taskSeconds);
    if (heartbeatSeconds !== undefined && heartbeatSeconds >= timeoutSeconds) {
      throw queryFailure('HeartbeatSeconds must be smaller than TimeoutSeconds.');
    }
    return {
      kind: 'task',
      frame: visit.frame,
      resource: Resource,
      arguments: withFewValues(
        Arguments === undefined ? visit.frame.input : visit.evaluate(Arguments, 'Arguments'),
        'The field Arguments',
      ),
      timeoutSeconds,
      heartbeatSeconds,
    };
  },
  succeed: leaveWithResult,
};
