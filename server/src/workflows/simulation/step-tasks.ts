import type { Definition } from '../../../asl/index.ts';
import type { StepRequest } from '../steps/step.ts';
import { type SimulatedStep, stepsOf, type TakeStep } from './steps.ts';

/** The module of the process that takes the steps of `openIsolatedSteps`. */

export interface IsolatedStep {
  key: string;
  /** For a process that does not know the key. */
  definition?: Definition;
  request: StepRequest;
  number: number;
}

/** Does nothing once the process has started. */
export function start(): void {}

const known = new Map<string, TakeStep>();

export async function step(task: IsolatedStep): Promise<SimulatedStep | 'unknown_definition'> {
  const { key, definition, request, number } = task;
  const take = known.get(key) ?? (definition && stepsOf(definition));
  if (!take) return 'unknown_definition';
  known.set(key, take);
  return take(request, number);
}
