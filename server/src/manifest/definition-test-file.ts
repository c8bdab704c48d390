import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Definition } from '../../asl/index.ts';
import type { Json, JsonObject } from '../../json/index.ts';
import { statesOf } from '../workflows/simulation/coverage.ts';
import type { Expectation } from '../workflows/simulation/expectation.ts';
import type { Mocks } from '../workflows/simulation/mocks.ts';
import { problemsOfMocks, type RunContext } from '../workflows/simulation/run-definition.ts';
import schema from './definition-test-schema.json' with { type: 'json' };
import { type Path, type Problem, pathOf } from './platform-file.ts';
import { options, toProblems } from './read.ts';

/** The tests of a definition, valid against `definition-test-schema.json`. */
export interface DefinitionTests {
  context?: RunContext;
  mocks?: Mocks;
  cases: Record<string, DefinitionTestCase>;
}

export interface DefinitionTestCase {
  input?: Json;
  state?: string;
  variables?: JsonObject;
  parameters?: JsonObject;
  context?: RunContext;
  mocks?: Mocks;
  expect?: Expectation;
}

let validate: ValidateFunction<DefinitionTests> | undefined;

/** Checks the shape of a test file, and the names in it against its definition. Without problems, it is `DefinitionTests`. */
export function checkTests(value: unknown, definition: Definition): Problem[] {
  validate ??= new Ajv2020({
    ...options,
    validateSchema: false,
    useDefaults: false,
  }).compile<DefinitionTests>(schema);
  if (!validate(value)) return toProblems(validate.errors, value);
  const names = statesOf(definition).map(({ name }) => name);
  const { mocks, cases } = value;
  return [
    ...checkMocks(definition, mocks, ['mocks']),
    ...Object.entries(cases).flatMap(([name, each]) => checkCase(definition, names, each, ['cases', name])),
  ];
}

function checkMocks(definition: Definition, mocks: Mocks = {}, path: Path): Problem[] {
  return Object.entries(mocks).flatMap(([state, mock]) =>
    problemsOfMocks(definition, state, mock).map(({ pointer, message }) => ({
      path: [...path, state, ...pathOf(pointer, mock)],
      message,
      atKey: true,
    })),
  );
}

function checkCase(
  definition: Definition,
  names: readonly string[],
  { state, input, mocks, expect = {} }: DefinitionTestCase,
  path: Path,
): Problem[] {
  const unknown = (name: string, at: Path, atKey = false): Problem[] =>
    names.includes(name)
      ? []
      : [{ path: [...path, ...at], message: `is not a state of the definition: ${name}`, atKey }];
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return [
    ...(state === undefined ? [] : unknown(state, ['state'])),
    ...(state !== undefined || input === undefined || isObject
      ? []
      : [{ path: [...path, 'input'], message: 'must be a mapping: the parameters of the execution' }]),
    ...(state === undefined && expect.next !== undefined
      ? [{ path: [...path, 'expect', 'next'], message: 'is only for a case with state', atKey: true }]
      : []),
    ...checkMocks(definition, mocks, [...path, 'mocks']),
    ...(expect.path ?? []).flatMap((name, index) => unknown(name, ['expect', 'path', index])),
    ...(['calls', 'callsContain'] as const).flatMap((field) =>
      Object.keys(expect[field] ?? {}).flatMap((name) => unknown(name, ['expect', field, name], true)),
    ),
  ];
}
