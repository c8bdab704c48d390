import type { SucceedState } from '../definition.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Succeed State. Its output is its Output, else its input. */
export const succeed: StateBehaviour<SucceedState> = {
  enter({ state, frame, evaluate }) {
    return {
      kind: 'end',
      output: state.Output === undefined ? frame.input : evaluate(state.Output, 'Output'),
    };
  },
};
