import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject, pointerTo } from '../../../json/index.ts';
import type { Mocks } from './mocks.ts';
import type { DefinitionRun } from './run-definition.ts';

/** What a run is expected to give. What is left out may be anything. */
export interface Expectation {
  /** Default: `FAILED` if there is an error or a cause, else `COMPLETED`. */
  status?: DefinitionRun['status'];
  output?: Json;
  /** A part of the output: its objects may have other fields, its arrays no other items. */
  outputContains?: Json;
  error?: string;
  cause?: string;
  path?: string[];
  /** The state after the one that was run alone. */
  next?: string;
  /** Those that are named. */
  variables?: JsonObject;
  waited?: number;
  /** The arguments of each call of a task, by the name of its state. */
  calls?: Record<string, Json[]>;
}

/** A value that differs from what was expected. */
export interface Difference {
  /** A JSON Pointer into the expectation. */
  pointer: string;
  /** Absent: no value was expected. */
  expected?: Json;
  /** Absent: there is no value. */
  actual?: Json;
}

/** Differences of one value that are listed. */
const maxDifferences = 20;

/** How a run differs from what was expected. */
export function differencesOf(run: DefinitionRun, expected: Expectation): Difference[] {
  const { status: named, variables = {}, calls = {}, outputContains, ...values } = expected;
  const fails = expected.error !== undefined || expected.cause !== undefined;
  const status = named ?? (fails ? 'FAILED' : 'COMPLETED');
  const actual = run as unknown as Record<string, Json | undefined>;
  return [
    ...differences(status, run.status, '/status'),
    ...Object.entries(values).flatMap(([name, value]) => differences(value, actual[name], `/${name}`)),
    ...(outputContains === undefined
      ? []
      : differences(outputContains, run.output, '/outputContains', { partial: true })),
    ...Object.entries(variables).flatMap(([name, value]) =>
      differences(value, run.variables[name], `/variables${pointerTo(name)}`),
    ),
    ...Object.entries(calls).flatMap(([name, list]) =>
      differences(list, callsOf(run, name), `/calls${pointerTo(name)}`),
    ),
  ];
}

/** The arguments of each call of a task, of which each takes a mock. */
function callsOf({ steps }: DefinitionRun, name: string): Json[] {
  return steps.flatMap(({ state, arguments: args }) => (state === name && args !== undefined ? [args] : []));
}

/** A list of mocks of which a run used only the first ones. */
export interface UnusedMocks {
  state: string;
  unused: number;
  total: number;
}

/** The lists that have more mocks than there were calls: the author expected a call that was not made. */
export function unusedMocks(run: DefinitionRun, mocks: Mocks = {}): UnusedMocks[] {
  return Object.entries(mocks).flatMap(([state, list]) => {
    const total = Array.isArray(list) ? list.length : 0;
    const unused = total - callsOf(run, state).length;
    return unused > 0 ? [{ state, unused, total }] : [];
  });
}

interface Comparison {
  /** Only the fields of the expected objects are compared. */
  partial: boolean;
}

function differences(
  expected: Json,
  actual: Json | undefined,
  pointer: string,
  comparison: Comparison = { partial: false },
): Difference[] {
  return [...differing(expected, actual, pointer, comparison)].slice(0, maxDifferences);
}

function* differing(
  expected: Json | undefined,
  actual: Json | undefined,
  pointer: string,
  comparison: Comparison,
): Generator<Difference> {
  if (isDeepStrictEqual(expected, actual)) return;
  const isPath = pointer === '/path';
  const lists = !isPath && Array.isArray(expected) && Array.isArray(actual);
  if (lists && expected.length === actual.length) {
    for (const [index, value] of expected.entries()) {
      yield* differing(value, actual[index], `${pointer}/${index}`, comparison);
    }
  } else if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...(comparison.partial ? [] : Object.keys(actual))]);
    for (const name of names) {
      const own = (value: object) => (Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined);
      yield* differing(own(expected), own(actual), `${pointer}${pointerTo(name)}`, comparison);
    }
  } else {
    yield {
      pointer,
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
    };
  }
}
