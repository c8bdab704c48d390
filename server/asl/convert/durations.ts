import { pointerTo } from '../../json/index.ts';
import { maximumCallSeconds, maximumSeconds } from '../fields.ts';
import type { Fields } from './flow.ts';
import { callbackSeconds, isCallback, isForeign } from './integrations.ts';
import type { Reporter } from './templates.ts';

/** Fields of a definition, a state or a retrier whose seconds have no effect beyond the longest execution. */
const shortened = ['TimeoutSeconds', 'HeartbeatSeconds', 'IntervalSeconds', 'MaxDelaySeconds'];
/** Data, in which such names mean nothing. */
const data = new Set([
  'Parameters',
  'Arguments',
  'Result',
  'ResultSelector',
  'ItemSelector',
  'Output',
  'Assign',
]);

/**
 * A definition whose seconds are within the 30 days that an execution runs here. On AWS it runs for a year, and 99,999,999
 * seconds are a usual value for “without limit”.
 */
export function withinLongestRun<Given>(value: Given, report: Reporter, pointer = ''): Given {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((each, index) => withinLongestRun(each, report, pointer + pointerTo(index))) as Given;
  }
  const fields: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    const at = pointer + pointerTo(name);
    fields[name] = data.has(name) ? member : withinLongestRun(member, report, at);
    if (typeof member !== 'number' || member <= maximumSeconds) continue;
    if (shortened.includes(name)) {
      fields[name] = maximumSeconds;
      report.note(
        at,
        'an execution runs for 30 days at most: what is longer is reduced to that, or left out',
      );
    } else if (name === 'Seconds') {
      fields[name] = maximumSeconds;
      report.todo(
        at,
        'the wait is reduced to 30 days, which an execution runs at most: go on in another one',
      );
    }
  }
  // It must be smaller than the timeout, which now comes first.
  if (fields['HeartbeatSeconds'] === maximumSeconds) delete fields['HeartbeatSeconds'];
  return fields as Given;
}

/** A task of AWS with a timeout and a heartbeat that the task in its place can have. */
export function withTaskTimes(state: Fields, pointer: string, report: Reporter): Fields {
  const { Type, Resource, TimeoutSeconds: timeout } = state;
  if (Type !== 'Task' || !isForeign(Resource)) return state;
  if (isCallback(Resource)) return shorterCallback(state);
  const { HeartbeatSeconds, HeartbeatSecondsPath, ...others } = state;
  const isTooLong = typeof timeout === 'number' && timeout > maximumCallSeconds;
  if (isTooLong) {
    report.note(
      pointer + pointerTo('TimeoutSeconds'),
      'an HTTP call takes at most 25 minutes, to which the timeout is reduced: use wrp:callback:wait for longer work',
    );
  }
  if (HeartbeatSeconds !== undefined || HeartbeatSecondsPath !== undefined) {
    report.note(
      pointer + pointerTo(HeartbeatSeconds === undefined ? 'HeartbeatSecondsPath' : 'HeartbeatSeconds'),
      'the heartbeat is left out: an HTTP call cannot send any',
    );
  }
  return { ...others, ...(isTooLong && { TimeoutSeconds: maximumCallSeconds }) };
}

/** Its heartbeat must be shorter than its timeout. */
function shorterCallback(state: Fields): Fields {
  const { HeartbeatSeconds: heartbeat, TimeoutSeconds: timeout, ...others } = state;
  const isLong = (seconds: unknown) => typeof seconds === 'number' && seconds >= callbackSeconds;
  return {
    ...others,
    ...(timeout !== undefined && { TimeoutSeconds: isLong(timeout) ? callbackSeconds : timeout }),
    ...(heartbeat !== undefined && !isLong(heartbeat) && { HeartbeatSeconds: heartbeat }),
  };
}

/** The default timeout here is 60 seconds, on AWS practically none. */
export function timeoutField(state: Fields, seconds: number | undefined): Fields {
  if (state['TimeoutSeconds'] !== undefined || state['TimeoutSecondsPath'] !== undefined) return {};
  return seconds === undefined ? {} : { TimeoutSeconds: seconds };
}
