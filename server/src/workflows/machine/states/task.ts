import type { TaskState } from '../definition.ts';
import { queryFailure } from '../failure.ts';
import { bounds, defaultTimeoutSeconds, numberOf } from '../fields.ts';
import { leave } from '../leave.ts';
import { toPayload, withFewValues } from '../size.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Task State. Its arguments are its Arguments, else its input; its output, its Output or the result. */
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
  succeed(visit, given) {
    const result = toPayload(given, 'The result');
    return leave(visit, { ...visit.state, place: '', values: { result }, otherwise: result });
  },
};
