export type { Action, ExecutionContext, Machine } from './actions.ts';
export type { Frame, Outcome, ScopePath } from './checkpoints.ts';
export { type ConversionFinding, convertDefinition } from './convert/convert.ts';
export { type Cost, costOf } from './cost.ts';
export { callbackResource, type Definition, type Scope, type State } from './definition.ts';
export { drawDefinition } from './draw.ts';
export { isExpression } from './expressions.ts';
export type { Failed } from './failure.ts';
export { maximumCallSeconds, maximumSeconds, parseTimestamp } from './fields.ts';
export { openMachine, type Randomness } from './machine.ts';
export {
  executionTimeout,
  type FailedExpression,
  isReserved,
  longestCause,
  longestErrorName,
  type MachineError,
  reportedFailure,
} from './machine-error.ts';
export { type Outline, type OutlinedState, outlineOf, type Transition } from './outline.ts';
export { compile, evaluateAll } from './realm.ts';
export { isDeepText, maximumPayloadBytes, toPayload } from './size.ts';
export { suggestion } from './suggestion.ts';
export { validateDefinition, warningsOf } from './validate.ts';
export { maxDepth, problemOfLimits } from './validation/limits.ts';
