import {
  type Cost,
  costOf,
  type Definition,
  type Machine,
  type MachineError,
  openMachine,
  type State,
} from '../../../asl/index.ts';
import { openPool, type StopReason, TaskStoppedError } from '../../../isolation/index.ts';
import type { StepEntry } from './history-entry.ts';
import { type StepRequest, type StepResult, takeStep } from './step.ts';
import type { StepTask } from './step-tasks.ts';

/**
 * Where a step runs. `fast`: in this process if it is known to be cheap, otherwise in a worker with tight limits.
 * `slow`: in a worker with the documented limits.
 */
export type Lane = 'fast' | 'slow';

/** The step must run in the slow lane: it exceeds the limits of the fast one, or its revision did so recently. */
export class SlowStepError extends Error {
  override name = 'SlowStepError';
}

/** The current state of a thread. */
export interface StepPlace {
  revisionId: string;
  /** Undefined before the first state. */
  state: string | undefined;
}

/** Runs steps without letting a definition block this process. */
export interface Stepper {
  /** @throws SlowStepError in the fast lane */
  take(place: StepPlace, request: StepRequest, lane: Lane): Promise<StepResult>;
  /** Stops the workers and rejects the steps that they run. */
  close(): Promise<void>;
}

/** The limits of a step in each lane. */
export const lanes = {
  fast: { processes: 2, memoryMiB: 128, cpuMs: 250 },
  slow: { processes: 2, memoryMiB: 512, cpuMs: 5_000 },
};

/** Characters of a step's values and its state, multiplied by its expressions: a few milliseconds at most. */
const maxInlineCost = 32_768;
/** Characters of a step's values. Parsing more is too slow for the fast lane. */
const maxFastLength = 1_048_576;
/** How long a slow revision is kept out of the fast lane. */
const slowForMs = 60_000;
const maxSlowRevisions = 1_000;
/** Open definitions that this process keeps. */
const maxMachines = 200;

/** @param findDocument reads the document of a revision, which never changes */
export function openStepper(findDocument: (revisionId: string) => Promise<object>): Stepper {
  const machines = new Map<string, Promise<Machine>>();
  const machineOf = (revisionId: string): Promise<Machine> => {
    const known = machines.get(revisionId);
    if (known) return known;
    const opening = findDocument(revisionId).then((document) => openMachine(document as Definition));
    opening.catch(() => machines.delete(revisionId));
    if (machines.size >= maxMachines) machines.delete(machines.keys().next().value as string);
    machines.set(revisionId, opening);
    return opening;
  };
  const module = new URL('./step-tasks.ts', import.meta.url);
  const pools = {
    fast: openPool({ module, ...lanes.fast }),
    slow: openPool({ module, ...lanes.slow }),
  };
  const slowUntil = new Map<string, number>();
  const costs = new WeakMap<State, Cost | undefined>();

  const runIn = async (lane: Lane, machine: Machine, revisionId: string, request: StepRequest) => {
    const run = (task: StepTask) =>
      pools[lane].run<StepResult | 'unknown_revision'>('step', task, lanes[lane]);
    const result = await run({ revisionId, request });
    if (result !== 'unknown_revision') return result;
    // Workers receive a definition when they first need it; the retry may run in another worker.
    return (await run({ revisionId, request, document: machine.definition })) as StepResult;
  };
  const isSlow = (revisionId: string) => (slowUntil.get(revisionId) ?? 0) > performance.now();
  const markSlow = (revisionId: string) => {
    slowUntil.delete(revisionId);
    if (slowUntil.size >= maxSlowRevisions) slowUntil.delete(slowUntil.keys().next().value as string);
    slowUntil.set(revisionId, performance.now() + slowForMs);
  };

  return {
    async take({ revisionId, state: current }, request, lane) {
      const machine = await machineOf(revisionId);
      const state = current ?? machine.definition.StartAt;
      const length = lengthOf(request);
      if (isCheap(machine, request, state, length)) return takeStep(machine, request);
      if (lane === 'fast' && (length > maxFastLength || isSlow(revisionId))) throw new SlowStepError();
      try {
        return await runIn(lane, machine, revisionId, request);
      } catch (error) {
        if (!(error instanceof TaskStoppedError)) throw error;
        markSlow(revisionId);
        if (lane === 'fast') throw new SlowStepError();
        return await stopped(error, state, (failure) =>
          runIn(lane, machine, revisionId, { ...request, outcome: { kind: 'stopped', failure } }),
        );
      }
    },
    async close() {
      await Promise.all([pools.fast.close(), pools.slow.close()]);
    },
  };

  /** Fails the state. Its Retry and Catch apply, unless they exceed the limits too. */
  async function stopped(
    { reason }: TaskStoppedError,
    state: string,
    fail: (failure: MachineError) => Promise<StepResult>,
  ): Promise<StepResult> {
    const failure = failureOfStop(reason);
    try {
      return await fail(failure);
    } catch (error) {
      if (!(error instanceof TaskStoppedError)) throw error;
      const entry: StepEntry = { kind: 'failed', state, detail: failure };
      return { action: { kind: 'fail', failure }, entry };
    }
  }

  /** Whether running the step here costs less than sending it to a worker. */
  function isCheap(machine: Machine, { scope, outcome }: StepRequest, name: string, length: number): boolean {
    if (typeof outcome === 'object' && outcome.kind === 'stopped') return false;
    const state = stateOf(machine, scope, name);
    if (!state) return false;
    if (!costs.has(state)) costs.set(state, costOf(state));
    const cost = costs.get(state);
    return cost !== undefined && (length + cost.length) * Math.max(cost.expressions, 1) <= maxInlineCost;
  }
}

/** @returns undefined for a state that does not exist, which `takeStep` reports as an error */
function stateOf(machine: Machine, scope: StepRequest['scope'], name: string): State | undefined {
  try {
    return machine.state(scope, name);
  } catch {
    return undefined;
  }
}

/** The failure of a state that the slow lane stopped. */
export function failureOfStop(reason: StopReason): MachineError {
  return { error: 'States.QueryEvaluationError', cause: causes[reason] };
}

const causes: Record<StopReason, string> = {
  time: `The state took more than ${lanes.slow.cpuMs / 1_000} seconds of CPU time.`,
  memory: `The state took more than ${lanes.slow.memoryMiB} MiB of memory.`,
  death: 'The process that evaluated the state ended unexpectedly.',
};

function lengthOf({ frame, outcome, execution }: StepRequest): number {
  const text = typeof outcome === 'string' ? outcome : outcome?.kind === 'response' && outcome.result.body;
  return (frame?.length ?? 0) + (text ? text.length : 0) + execution.parameters.length;
}
