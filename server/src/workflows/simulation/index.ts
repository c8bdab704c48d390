export { type Coverage, type Covered, coverageOf } from './coverage.ts';
export type { Mock, MockedCall, MockedError, Mocks } from './mocks.ts';
export {
  DefinitionError,
  type DefinitionRun,
  MockError,
  type RunContext,
  type RunOptions,
  runDefinition,
} from './run-definition.ts';
export type { Ending, Step } from './simulate.ts';
