import { isObject, type JsonObject } from '../json/index.ts';
import type { ExecutionContext } from './actions.ts';
import type { Frame } from './checkpoints.ts';

/** The Context Object, `$states.context`: the fields that AWS Step Functions documents, as far as they apply here. */
export function contextObject(
  frame: Pick<Frame, 'state' | 'enteredAt' | 'retries'>,
  { execution, stateMachine }: Pick<ExecutionContext, 'execution' | 'stateMachine'>,
  token: string | undefined,
  mapItem: Frame['mapItem'],
): JsonObject {
  return {
    Execution: {
      Id: execution.id,
      Input: execution.input,
      Name: execution.name,
      StartTime: execution.startTime,
    },
    State: {
      EnteredTime: frame.enteredAt,
      Name: frame.state,
      RetryCount: frame.retries.reduce((sum: number, count) => sum + (count ?? 0), 0),
    },
    StateMachine: { Id: stateMachine.id, Name: stateMachine.name },
    ...(token !== undefined && { Task: { Token: token } }),
    ...(mapItem && { Map: { Item: { Index: mapItem.Index, Value: mapItem.Value } } }),
  };
}

/** A Context Object with every field. */
const sample = contextObject(
  { state: '', enteredAt: '', retries: [] },
  { execution: { id: '', input: null, name: '', startTime: '' }, stateMachine: { id: '', name: '' } },
  '',
  { Index: 0, Value: null },
);

/** The fields on the way to the first name of a path that the Context Object never has; undefined if it may have all. */
export function missingInContext(
  path: readonly string[],
): { owner: readonly string[]; name: string; fields: string[] } | undefined {
  let value: unknown = sample;
  for (const [index, name] of path.entries()) {
    if (!isObject(value)) return undefined;
    if (!Object.hasOwn(value, name)) return { owner: path.slice(0, index), name, fields: Object.keys(value) };
    value = value[name];
  }
  return undefined;
}
