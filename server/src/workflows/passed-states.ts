import type { Thread } from '../store/threads.ts';
import type { Step } from './run.ts';
import type { StepAction } from './steps/step.ts';

/** A state that led to another one without an effect. */
export type Passed = Step & { action: Extract<StepAction, { kind: 'next' }>; write?: undefined };

/** How long a state may wait for its commit: the history shows it then, and a cancellation takes effect. */
const maxMilliseconds = 100;
const maxEntries = 100;
/** Characters of all frames together, which bounds the memory that the entries take. */
const maxFrameLength = 256 * 1024;

/** The states of a thread that are not committed yet. */
export function passedStates() {
  let passed: Passed | undefined;
  let frameLength = 0;
  let until = 0;
  return {
    /** All of them as one step. */
    get last() {
      return passed;
    },
    /** @returns false if the step must be committed */
    add(step: Step): boolean {
      if (!isPassed(step)) return false;
      const now = performance.now();
      if (!passed) until = now + maxMilliseconds;
      frameLength += step.action.frame.length;
      const entries = [...(passed?.entries ?? []), ...step.entries];
      if (now > until || entries.length > maxEntries || frameLength > maxFrameLength) return false;
      passed = { action: step.action, entries, counted: entries.length };
      return true;
    },
    /** Forgets them. @returns their entries, to be committed with the next step */
    take() {
      const entries = passed?.entries ?? [];
      passed = undefined;
      frameLength = 0;
      return entries;
    },
  };
}

function isPassed(step: Step): step is Passed {
  return step.action.kind === 'next' && step.write === undefined;
}

/** Moves a thread in memory to its next state, at the same checkpoint. */
export function continueWith(thread: Thread, { frame, state }: Passed['action']): void {
  Object.assign(thread, { ...notWaiting, frame, state });
}

const notWaiting = {
  awaiting: null,
  outcome: null,
  task: null,
  callbackStep: null,
  timeoutAt: null,
  heartbeatUntil: null,
};
