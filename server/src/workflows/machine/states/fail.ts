import { isReserved } from '../../../domain/failures.ts';
import type { FailState } from '../definition.ts';
import { queryFailure } from '../failure.ts';
import { stringOf } from '../fields.ts';
import type { StateBehaviour } from '../visit.ts';

/** Specification: Fail State. An Error or Cause that is left out is the empty string. */
export const fail: StateBehaviour<FailState> = {
  enter(visit) {
    const { Error: name = '', Cause: cause = '' } = visit.state;
    const error = stringOf(visit, name, 'Error');
    if (isReserved(error)) throw queryFailure(`Error takes a name of its own, not ${error}.`);
    return { kind: 'fail', failure: { error, cause: stringOf(visit, cause, 'Cause') } };
  },
};
