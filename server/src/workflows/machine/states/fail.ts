import type { FailState } from '../definition.ts';
import { stringOf } from '../fields.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Fail State. An Error or Cause that is left out is the empty string. */
export const fail: StateBehaviour<FailState> = {
  enter(visit) {
    const { Error: error = '', Cause: cause = '' } = visit.state;
    return {
      kind: 'fail',
      failure: { error: stringOf(visit, error, 'Error'), cause: stringOf(visit, cause, 'Cause') },
    };
  },
};
