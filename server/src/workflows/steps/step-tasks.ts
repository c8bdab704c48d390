import { compile, type Definition, evaluateAll, type Machine, openMachine } from '../../../asl/index.ts';
import { type StepRequest, type StepResult, takeStep } from './step.ts';

/** The module of the worker processes that run steps. */

export interface StepTask {
  revisionId: string;
  /** The definition, for a worker that does not know the revision. */
  document?: object;
  request: StepRequest;
}

// Loads JSONata before the worker is ready, so that this does not count towards the limit of its first step.
evaluateAll([compile('$sum([1..3])')], {}, { now: new Date(0), random: () => 0, uuid: () => '' });

/** Open definitions that a worker keeps. */
const maxOpen = 50;
const machines = new Map<string, Machine>();

export function step({ revisionId, document, request }: StepTask): Promise<StepResult> | 'unknown_revision' {
  const machine = machines.get(revisionId) ?? (document && open(revisionId, document as Definition));
  return machine ? takeStep(machine, request) : 'unknown_revision';
}

function open(revisionId: string, document: Definition): Machine {
  const machine = openMachine(document);
  if (machines.size >= maxOpen) machines.delete(machines.keys().next().value as string);
  machines.set(revisionId, machine);
  return machine;
}
