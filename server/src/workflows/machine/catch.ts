import type { Action } from './actions.ts';
import { type Failed, matchesError } from './error-names.ts';
import { leave } from './leave.ts';
import type { Visit } from './visit.ts';

/**
 * On to where the first Catcher that names the error says; the output is its Output, else the Error Output
 * (specification: Catching errors).
 * @throws StateFailure when the Catcher's own expressions fail: that is caught no more.
 */
export function catchOf(visit: Visit, failed: Failed): Action | undefined {
  const catchers = 'Catch' in visit.state ? (visit.state.Catch ?? []) : [];
  const index = catchers.findIndex((each) => matchesError(each.ErrorEquals, failed));
  const catcher = catchers[index];
  if (!catcher) return undefined;
  const errorOutput = { Error: failed.failure.error, Cause: failed.failure.cause };
  return leave(visit, {
    ...catcher,
    place: `Catch/${index}/`,
    values: { errorOutput },
    otherwise: errorOutput,
  });
}
