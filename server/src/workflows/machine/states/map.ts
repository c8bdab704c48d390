import { setImmediate } from 'node:timers/promises';
import type { Json } from '../../../domain/json.ts';
import type { Branch } from '../actions.ts';
import type { MapState } from '../definition.ts';
import { dataLimitFailure, queryFailure } from '../failure.ts';
import { bounds, numberOf, shown } from '../fields.ts';
import { innerFrame } from '../inner-frame.ts';
import { leave } from '../leave.ts';
import { toPayload } from '../size.ts';
import type { StateBehaviour, Visit } from '../visit.ts';

/** Each item is a thread of its own, with a frame that is stored. */
const maximumItems = 100_000;

/** Items between which others get their turn: each has an ItemSelector to be evaluated. */
const itemsAtOnce = 50;

/**
 * Specification: Map State, inline. The items are Items, else the input; an iteration's input is its ItemSelector,
 * else the item; the result is the array of the iterations' outputs in their order. Outputs of iterations that failed
 * and were tolerated are left out.
 */
export const map: StateBehaviour<MapState> = {
  async enter(visit) {
    const { MaxConcurrency = 0 } = visit.state;
    const items = itemsOf(visit);
    const maxConcurrency = numberOf(visit, MaxConcurrency, 'MaxConcurrency', bounds.count);
    const toleratedFailures = toleratedOf(visit, items.length);
    if (items.length === 0) return done(visit, []);
    const branches = await iterations(visit, items);
    return {
      kind: 'fork',
      frame: visit.frame,
      branches,
      maxConcurrency: Math.min(maxConcurrency, items.length),
      toleratedFailures: Math.min(toleratedFailures, items.length),
    };
  },
  succeed(visit, given) {
    return done(visit, toPayload(given, 'The result'));
  },
};

function done(visit: Visit<MapState>, result: Json) {
  return leave(visit, { ...visit.state, place: '', values: { result }, otherwise: result });
}

function itemsOf(visit: Visit<MapState>): Json[] {
  const { Items } = visit.state;
  const items = Items === undefined ? visit.frame.input : visit.evaluate(Items, 'Items');
  if (!Array.isArray(items)) {
    const source =
      Items === undefined ? 'A Map without Items takes an array as its input' : 'Items takes an array';
    throw queryFailure(`${source}, not ${shown(items)}.`);
  }
  if (items.length > maximumItems) throw dataLimitFailure(`Items has more than ${maximumItems} items.`);
  return items;
}

async function iterations(visit: Visit<MapState>, items: Json[]): Promise<Branch[]> {
  const { ItemSelector, ItemProcessor } = visit.state;
  const branches: Branch[] = [];
  for (const [Index, Value] of items.entries()) {
    if (ItemSelector !== undefined && Index > 0 && Index % itemsAtOnce === 0) await setImmediate();
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

/** How many iterations may fail; of two thresholds, the one that is passed first counts. */
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
