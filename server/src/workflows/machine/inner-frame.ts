import type { Frame } from '../../domain/checkpoints.ts';
import type { Json } from '../../domain/json.ts';
import { type Visit, variablesOf } from './visit.ts';

/**
 * The first frame of a branch or iteration: the variables around it can be read there, its own begin empty and end
 * with it (specification: Variables, scope).
 */
export function innerFrame(
  { frame, now }: Visit,
  state: string,
  input: Json,
  mapItem: Frame['mapItem'] = frame.mapItem,
): Frame {
  return {
    state,
    input,
    variables: {},
    outerVariables: variablesOf(frame),
    enteredAt: now.toISOString(),
    retries: [],
    ...(mapItem && { mapItem }),
  };
}
