import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, pointerTo } from '../../../json/index.ts';
import { type Difference, differencesOf } from '../../domain/json-differences.ts';
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
  /** A part of the arguments of each call, as `outputContains` of the output. */
  callsContain?: Record<string, Json[]>;
}

/** A value that differs from what was expected. */
export interface ExpectationDifference {
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
export function failedExpectations(run: DefinitionRun, expected: Expectation): ExpectationDifference[] {
  const {
    status: named,
    variables = {},
    outputContains,
    calls = {},
    callsContain = {},
    ...values
  } = expected;
  const fails = expected.error !== undefined || expected.cause !== undefined;
  const status = named ?? (fails ? 'FAILED' : 'COMPLETED');
  const actual = run as unknown as Record<string, Json | undefined>;
  return [
    ...differences(status, run.status, '/status'),
    ...Object.entries(values).flatMap(([name, value]) => differences(value, actual[name], `/${name}`)),
    ...(outputContains === undefined ? [] : differences(outputContains, run.output, '/outputContains', true)),
    ...Object.entries(variables).flatMap(([name, value]) =>
      differences(value, run.variables[name], `/variables${pointerTo(name)}`),
    ),
    ...Object.entries({ calls, callsContain }).flatMap(([field, byState]) =>
      Object.entries(byState).flatMap(([name, list]) =>
        differences(list, callsOf(run, name), `/${field}${pointerTo(name)}`, field === 'callsContain'),
      ),
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

function differences(
  expected: Json,
  actual: Json | undefined,
  pointer: string,
  partial = false,
): ExpectationDifference[] {
  // Of a path, one sees more as a whole.
  const found = pointer === '/path' ? wholly(expected, actual) : differencesOf(expected, actual, '', partial);
  return [...found].slice(0, maxDifferences).map(({ pointer: within, from, to }) => ({
    pointer: pointer + within,
    ...(from !== undefined && { expected: from as Json }),
    ...(to !== undefined && { actual: to as Json }),
  }));
}

function wholly(from: Json, to: Json | undefined): Difference[] {
  return isDeepStrictEqual(from, to) ? [] : [{ pointer: '', from, to }];
}
