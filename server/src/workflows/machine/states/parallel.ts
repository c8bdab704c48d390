import type { Branch } from '../actions.ts';
import type { ParallelState } from '../definition.ts';
import { innerFrame } from '../inner-frame.ts';
import { leave } from '../leave.ts';
import { toPayload } from '../size.ts';
import type { StateBehaviour } from '../visit.ts';

/**
 * Specification: Parallel State. Every branch has the same input: Arguments, else the state's; the result is the array
 * of the branches' outputs, in their order. One that fails fails the state.
 */
export const parallel: StateBehaviour<ParallelState> = {
  enter(visit) {
    const { Arguments, Branches } = visit.state;
    const input = Arguments === undefined ? visit.frame.input : visit.evaluate(Arguments, 'Arguments');
    const branches = Branches.map(
      ({ StartAt }, branch): Branch => ({
        path: { state: visit.frame.state, branch },
        frame: innerFrame(visit, StartAt, input),
      }),
    );
    return { kind: 'fork', frame: visit.frame, branches, maxConcurrency: 0, toleratedFailures: 0 };
  },
  succeed(visit, given) {
    const result = toPayload(given, 'The result');
    return leave(visit, { ...visit.state, place: '', values: { result }, otherwise: result });
  },
};
