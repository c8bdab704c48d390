import { pointerTo } from '../../json/index.ts';
import { maximumSeconds } from '../fields.ts';
import type { Fields } from './flow.ts';
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
