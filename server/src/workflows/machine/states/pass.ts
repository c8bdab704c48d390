import type { PassState } from '../definition.ts';
import { leave } from '../leave.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Pass State. Its output is its Output, else its input. */
export const pass: StateBehaviour<PassState> = {
  enter(visit) {
    return leave(visit, { ...visit.state, place: '', values: {}, otherwise: visit.frame.input });
  },
};
