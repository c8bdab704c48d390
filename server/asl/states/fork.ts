import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../json/index.ts';
import type { Branch } from '../actions.ts';
import type { MapState, ParallelState } from '../definition.ts';
import { dataLimitFailure, queryFailure } from '../failure.ts';
import { bounds, numberOf, shown } from '../fields.ts';
import { leaveWithResult } from '../leave.ts';
import { innerFrame, type StateBehaviour, type Visit } from '../visit.ts';

/**
 * Specification: Parallel State. Every branch has the same input: Arguments, by default the input of the state. The
 * result is an array of the branches' outputs, in order. A failed branch fails the state.
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
  succeed: leaveWithResult,
};

/** Each item has a thread with a stored frame. */
const maximumItems = 100_000;

/** Items whose ItemSelector is evaluated before the event loop gets a turn. */
const itemsPerTurn = 50;

/**
 * Specification: Map State, inline. Items defaults to the input of the state, ItemSelector to the item. The result is
 * an array of the outputs, in order, without those of tolerated failures.
 */
export const map: StateBehaviour<MapState> = {
  async enter(visit) {
    const { MaxConcurrency = 0 } = visit.state;
    const items = itemsOf(visit);
    const maxConcurrency = numberOf(visit, MaxConcurrency, 'MaxConcurrency', bounds.count);
    const toleratedFailures = toleratedOf(visit, items.length);
    if (items.length === 0) return leaveWithResult(visit, []);
    const branches = await iterations(visit, items);
    return {
      kind: 'fork',
      frame: visit.frame,
      branches,
      maxConcurrency: Math.min(maxConcurrency, items.length),
      toleratedFailures: Math.min(toleratedFailures, items.length),
    };
  },
  succeed: leaveWithResult,
};

function itemsOf(visit: Visit<MapState>): Json[] {
  const { Items } = visit.state;
  const items = Items === undefined ? visit.frame.input : visit.evaluate(Items, 'Items');
  if (!Array.isArray(items)) {
    const source =
      Items === undefined ? 'The input of a Map without Items must be an array' : 'Items must be an array';
    throw queryFailure(`${source}, not ${shown(items)}.`);
  }
  if (items.length > maximumItems) throw dataLimitFailure(`Items has more than ${maximumItems} items.`);
  return items;
}

async function iterations(visit: Visit<MapState>, items: Json[]): Promise<Branch[]> {
  const { ItemSelector, ItemProcessor } = visit.state;
  const branches: Branch[] = [];
  for (const [Index, Value] of items.entries()) {
    if (ItemSelector !== undefined && Index > 0 && Index % itemsPerTurn === 0) await setImmediate();
    const mapItem = { Index, Value };
    const input =
      ItemSelector === undefined ? Value : visit.evaluate(ItemSelector, 'ItemSelector', { mapItem });
    branches.push({
      path: { state: visit.frame.state, branch: 0 },
      frame: innerFrame(visit, ItemProcessor.StartAt, input, mapItem),
    });
  }
  return branches;
}

/** How many iterations may fail: the smaller one of two thresholds. */
function toleratedOf(visit: Visit<MapState>, items: number): number {
  const { ToleratedFailureCount: count, ToleratedFailurePercentage: percentage } = visit.state;
  const limits: number[] = [];
  if (count !== undefined) limits.push(numberOf(visit, count, 'ToleratedFailureCount', bounds.count));
  if (percentage !== undefined) {
    const share = numberOf(visit, percentage, 'ToleratedFailurePercentage', bounds.percentage);
    limits.push(Math.floor((items * share) / 100));
  }
  return limits.length === 0 ? 0 : Math.min(...limits);
}
