import type { WaitState } from '../definition.ts';
import { queryFailure } from '../failure.ts';
import { bounds, numberOf, parseTimestamp, shown, stringOf } from '../fields.ts';
import { leave } from '../leave.ts';
import type { StateBehaviour, Visit } from '../visit.ts';

/** Specification: Wait State. A time that has passed is no wait. */
export const wait: StateBehaviour<WaitState> = {
  enter(visit) {
    const until = endOf(visit);
    return until > visit.now ? { kind: 'wait', frame: visit.frame, until } : over(visit);
  },
  succeed: over,
};

function over(visit: Visit<WaitState>) {
  return leave(visit, { ...visit.state, place: '', values: {}, otherwise: visit.frame.input });
}

function endOf(visit: Visit<WaitState>): Date {
  const { Seconds, Timestamp } = visit.state;
  if (Timestamp === undefined) {
    const seconds = numberOf(visit, Seconds ?? 0, 'Seconds', bounds.waitSeconds);
    return new Date(visit.now.getTime() + seconds * 1_000);
  }
  const text = stringOf(visit, Timestamp, 'Timestamp');
  const until = parseTimestamp(text);
  if (!until) throw queryFailure(`Timestamp takes an RFC 3339 timestamp, not ${shown(text)}.`);
  return until;
}
