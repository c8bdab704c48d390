import type { MachineError } from '../../domain/failures.ts';
import { type StopReason, TaskStoppedError } from '../../isolation/errors.ts';
import { openPool } from '../../isolation/pool.ts';
import type { Machine } from '../machine/actions.ts';
import { type Cost, costOf } from '../machine/cost.ts';
import type { State } from '../machine/definition.ts';
import { machines } from '../machines.ts';
import type { StepEntry } from './entries.ts';
import { type StepRequest, type StepResult, takeStep } from './step.ts';
import type { StepTask } from './step-tasks.ts';

/**
 * Where a step runs. `fast`: here if that is known to be cheap, else in a worker with narrow limits. `slow`: in a
 * worker with the limits that are promised.
 */
export type Lane = 'fast' | 'slow';

/** The step is to be run in the slow lane: it exceeds the fast one, or its revision did so shortly before. */
export class SlowStepError extends Error {
  override name = 'SlowStepError';
}

/** Where a thread stands. */
export interface StepPlace {
  revisionId: string;
  /** Undefined before the first state. */
  state: string | undefined;
}

/** Runs steps so that no definition blocks this process. */
export interface Stepper {
  /** @throws SlowStepError in the fast lane */
  take(place: StepPlace, request: StepRequest, lane: Lane): Promise<StepResult>;
  /** Ends the workers; steps that they run are rejected. */
  close(): Promise<void>;
}

const lanes = {
  fast: { processes: 2, memoryMiB: 128, cpuMs: 250 },
  slow: { processes: 2, memoryMiB: 512, cpuMs: 5_000 },
};

/** Characters of a step's values and of its state, times its expressions: so many take a few milliseconds at most. */
const maxInlineCost = 32_768;
/** Characters of a step's values; parsing more of them is no work for the fast lane. */
const maxFastLength = 1_048_576;
/** How long a revision that was slow is not tried in the fast lane. */
const slowForMs = 60_000;
const maxSlowRevisions = 1_000;

/** @param findDocument of a revision that is stored */
export function openStepper(findDocument: (revisionId: string) => Promise<object>): Stepper {
  const machineOf = machines(findDocument);
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
    // A worker learns a definition when it first needs it; another one may come to run this.
    return (await run({ revisionId, request, document: machine.definition })) as StepResult;
  };
  const isSlow = (revisionId: string) => (slowUntil.get(revisionId) ?? 0) > performance.now();
  const noteSlow = (revisionId: string) => {
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
        noteSlow(revisionId);
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

  /** The state fails; its Retry and Catch apply, unless they have to be stopped too. */
  async function stopped(
    { reason }: TaskStoppedError,
    state: string,
    fail: (failure: MachineError) => Promise<StepResult>,
  ): Promise<StepResult> {
    const failure = { error: 'States.QueryEvaluationError', cause: causes[reason] };
    try {
      return await fail(failure);
    } catch (error) {
      if (!(error instanceof TaskStoppedError)) throw error;
      const entry: StepEntry = { kind: 'failed', state, detail: failure };
      return { action: { kind: 'fail', failure }, entry };
    }
  }

  /** A worker would cost more than the step itself. */
  function isCheap(machine: Machine, { scope, outcome }: StepRequest, name: string, length: number): boolean {
    if (typeof outcome === 'object' && outcome.kind === 'stopped') return false;
    const state = stateOf(machine, scope, name);
    if (!state) return false;
    if (!costs.has(state)) costs.set(state, costOf(state));
    const cost = costs.get(state);
    return cost !== undefined && (length + cost.length) * Math.max(cost.expressions, 1) <= maxInlineCost;
  }
}

/** A state that its definition does not have is an error that `takeStep` reports. */
function stateOf(machine: Machine, scope: StepRequest['scope'], name: string): State | undefined {
  try {
    return machine.state(scope, name);
  } catch {
    return undefined;
  }
}

const causes: Record<StopReason, string> = {
  time: `The state took more than ${lanes.slow.cpuMs / 1_000} seconds of CPU time.`,
  memory: `The state took more than ${lanes.slow.memoryMiB} MiB of memory.`,
  death: 'The process that evaluated the state ended unexpectedly.',
};

function lengthOf({ frame, outcome, execution }: StepRequest): number {
  const waited = typeof outcome === 'string' ? outcome : outcome?.kind === 'response' && outcome.result.body;
  return (frame?.length ?? 0) + (waited ? waited.length : 0) + execution.parameters.length;
}
