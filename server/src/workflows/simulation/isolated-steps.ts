import { randomUUID } from 'node:crypto';
import { type Definition, type Frame, type MachineError, openMachine } from '../../../asl/index.ts';
import { openPool, TaskStoppedError } from '../../../isolation/index.ts';
import type { StepRequest } from '../steps/step.ts';
import { failureOfStop, lanes } from '../steps/stepper.ts';
import type { IsolatedStep } from './step-tasks.ts';
import type { SimulatedStep, TakeStep } from './steps.ts';

/** Takes steps in a process with the limits of the platform, so that none can hang or exhaust this process. */
export function openIsolatedSteps() {
  const module = new URL('./step-tasks.ts', import.meta.url);
  const pool = openPool({ module, processes: 1, memoryMiB: lanes.slow.memoryMiB });
  const run = (step: IsolatedStep) =>
    pool.run<SimulatedStep | 'unknown_definition'>('step', step, lanes.slow);
  // The process starts while the caller reads its files.
  pool.run('start', undefined, lanes.slow).catch(() => {});

  return {
    of(definition: Definition): TakeStep {
      const key = randomUUID();
      const take: TakeStep = async (request, number) => {
        const result = await run({ key, request, number });
        if (result !== 'unknown_definition') return result;
        return (await run({ key, request, number, definition })) as SimulatedStep;
      };
      return async (request, number) => {
        try {
          return await take(request, number);
        } catch (error) {
          if (!(error instanceof TaskStoppedError)) throw error;
          const failure = failureOfStop(error.reason);
          const stopped = { ...request, outcome: { kind: 'stopped' as const, failure } };
          return take(stopped, number).catch((again) => {
            if (!(again instanceof TaskStoppedError)) throw again;
            return failedStep(definition, request, failure);
          });
        }
      };
    },
    close: () => pool.close(),
  };
}

/** A step whose Retry and Catch exceed the limits, too. */
function failedStep(
  definition: Definition,
  { frame: text, scope }: StepRequest,
  failure: MachineError,
): SimulatedStep {
  const machine = openMachine(definition);
  const frame = text === null ? machine.begin({}, new Date(0)) : (JSON.parse(text) as Frame);
  const { state, input, variables } = frame;
  const { Type: type } = machine.state(scope, state);
  return {
    action: { kind: 'fail', failure },
    entry: { kind: 'failed', state, detail: failure },
    details: { state, type, input, variables, failure },
  };
}
