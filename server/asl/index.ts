export type { Action, ExecutionContext, Machine } from './actions.ts';
export type { Frame, Outcome, ScopePath } from './checkpoints.ts';
export { type Cost, costOf } from './cost.ts';
export type { Definition, State } from './definition.ts';
export type { Failed } from './failure.ts';
export { parseTimestamp } from './fields.ts';
export { openMachine } from './machine.ts';
export {
  isReserved,
  longestCause,
  longestErrorName,
  type MachineError,
  reportedFailure,
} from './machine-error.ts';
export { drawDefinition, type SupportedResource, validateDefinition } from './old-index.ts';
export { compile, evaluateAll } from './realm.ts';
export { isDeepText, maximumPayloadBytes, toPayload } from './size.ts';
