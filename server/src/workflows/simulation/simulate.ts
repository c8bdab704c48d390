import {
  executionTimeout,
  type MachineError,
  maximumPayloadBytes,
  reportedFailure,
  type ScopePath,
} from '../../../asl/index.ts';
import type { Json, JsonObject } from '../../../json/index.ts';
import type { NewThread } from '../../store/forks.ts';
import { historyLimitCause, maxHistoryEntries } from '../history-limit.ts';
import type { JsonText, StepAction, StepOutcome, StepRequest } from '../steps/step.ts';
import type { StepDetails, TakeStep } from './steps.ts';
import { openTimeline } from './timeline.ts';

/** One attempt of a state. Times are seconds since the start. */
export interface Step {
  state: string;
  type: StepDetails['type'];
  /** The branch or iteration, such as `Checks[1]`; absent outside of Parallel and Map. */
  branch?: string;
  /** From 1; more than 1 after a Retry. */
  attempt: number;
  at: number;
  until: number;
  input: Json;
  /** Of a Task. */
  arguments?: Json;
  output?: Json;
  /** The variables that the state assigned. */
  assigned?: JsonObject;
  /** An error of the state, also if its Retry or Catch applied. */
  failure?: MachineError;
  /** The field of the state that decided what came next: `Next`, `Choices/0`, `Default`, `Catch/0`, `Retry/0`. */
  via?: string;
  next?: string;
}

export interface Ending {
  status: 'COMPLETED' | 'FAILED' | 'EXPIRED';
  output?: Json;
  error?: string;
  cause?: string;
  /** The expression that failed the execution. */
  expression?: MachineError['expression'];
  /** The state after the one that was run alone. */
  next?: string;
}

/** What a thread needs of its parent. */
interface Fork {
  parent: Thread;
  open: number;
  failed: number;
  tolerated: number;
  queued: Thread[];
  /** The outputs by position. */
  outputs: JsonText[];
  closed: boolean;
}

interface Thread {
  scope: ScopePath;
  label: string;
  frame: JsonText | null;
  position: number;
  fork?: Fork;
  /** The attempt that is running. */
  step?: Step;
  attempt: number;
}

/** A task that a thread has started. */
export interface StartedTask {
  details: StepDetails;
  action: Extract<StepAction, { kind: 'task' }>;
  attempt: number;
  now: Date;
}

export interface Simulation {
  take: TakeStep;
  /** How a task ends, and after how many seconds. */
  runTask(task: StartedTask): Promise<{ seconds: number; outcome: StepOutcome }>;
  execution: StepRequest['execution'];
  taskToken: string;
  /** The checkpoint to start from, and whether its state runs alone. */
  from: { scope: ScopePath; frame: JsonText | null; alone: boolean };
  /** When the execution expires, and when its TimeoutSeconds are over. */
  expiresAt: Date;
  timeoutAt: Date | undefined;
}

/**
 * Runs an execution in virtual time, thread by thread as the engine does: a thread runs until it waits, and time moves to
 * the next event when all threads wait.
 */
export async function simulate(simulation: Simulation) {
  const { execution, from } = simulation;
  const start = execution.createdAt.getTime();
  const deadline = Math.min(
    simulation.expiresAt.getTime(),
    simulation.timeoutAt?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const timeline = openTimeline<{ thread: Thread; outcome: StepOutcome | undefined }>();
  const steps: Step[] = [];
  const root: Thread = { scope: from.scope, label: '', frame: from.frame, position: 0, attempt: 0 };
  let variables: JsonObject = {};
  let now = start;
  let taken = 0;
  let ending: Ending | undefined;

  const schedule = (thread: Thread, at: number, outcome?: StepOutcome) =>
    timeline.add(at, { thread, outcome });
  const secondsAt = (time: number) => (time - start) / 1_000;
  schedule(root, start);
  while (!ending) {
    const event = timeline.next();
    // At the same time, as in the engine, where steps take time, the deadline comes first.
    if (!event || event.at >= deadline) {
      now = deadline;
      ending = endingAtDeadline(simulation);
    } else if (isOpen(event.subject.thread)) {
      now = event.at;
      await runThread(event.subject.thread, event.subject.outcome);
    }
  }
  return { ...ending, variables, waited: secondsAt(now), steps };

  async function runThread(thread: Thread, first: StepOutcome | undefined): Promise<void> {
    let outcome = first;
    while (!ending) {
      if (taken >= maxHistoryEntries) {
        const cause = historyLimitCause(maxHistoryEntries);
        ending = { status: 'FAILED', error: 'States.Runtime', cause };
        return;
      }
      taken += 1;
      const { frame, scope, label } = thread;
      const { taskToken } = simulation;
      const request = { scope, frame, outcome, execution, taskToken, label, now: new Date(now) };
      const { action, details } = await simulation.take(request, taken);
      if (thread === root) variables = details.variables;
      note(thread, action, details);
      outcome = undefined;
      if (action.kind === 'end' || action.kind === 'fail') return endThread(thread, action);
      thread.frame = action.frame;
      switch (action.kind) {
        case 'next': {
          if (thread !== root || !from.alone) break;
          const { output = null } = details;
          ending = { status: 'COMPLETED', output, next: action.state };
          return;
        }
        case 'wait':
          return schedule(thread, action.until.getTime(), { kind: 'elapsed' });
        case 'retry':
          return schedule(thread, action.at.getTime());
        case 'fork':
          return startFork(thread, action);
        case 'task': {
          const task = { details, action, attempt: thread.attempt, now: new Date(now) };
          const result = await simulation.runTask(task);
          return schedule(thread, now + Math.round(result.seconds * 1_000), result.outcome);
        }
      }
    }
  }

  /** Notes what happened to the attempt that the thread is in. */
  function note(thread: Thread, action: StepAction, details: StepDetails): void {
    const { state, type, input, arguments: args, output, assigned, next, via } = details;
    if (!thread.step) {
      thread.attempt += 1;
      const { attempt, label } = thread;
      const [at, until] = [secondsAt(now), secondsAt(now)];
      thread.step = { state, type, ...(label && { branch: label }), attempt, at, until, input };
      steps.push(thread.step);
    }
    // The result of an execution may be refused after its last step.
    const failure = action.kind === 'fail' ? (details.failure ?? action.failure) : details.failure;
    Object.assign(thread.step, {
      until: secondsAt(now),
      ...(args !== undefined && { arguments: args }),
      ...(output !== undefined && action.kind !== 'fail' && { output }),
      ...(assigned && { assigned }),
      ...(next !== undefined && { next }),
      ...(via !== undefined && { via }),
      ...(failure && { failure }),
    });
    if (['next', 'retry', 'end', 'fail'].includes(action.kind)) delete thread.step;
    if (action.kind === 'next') thread.attempt = 0;
  }

  function startFork(parent: Thread, action: Extract<StepAction, { kind: 'fork' }>): void {
    const { count: open, toleratedFailures: tolerated } = action;
    const fork: Fork = { parent, open, failed: 0, tolerated, queued: [], outputs: [], closed: false };
    for (const { status, frame, scope, label, position } of JSON.parse(action.threads) as NewThread[]) {
      const thread: Thread = { scope, label, frame: JSON.stringify(frame), position, fork, attempt: 0 };
      if (status === 'ready') schedule(thread, now);
      else fork.queued.push(thread);
    }
  }

  function endThread(
    { fork, position }: Thread,
    action: Extract<StepAction, { kind: 'end' | 'fail' }>,
  ): void {
    if (!fork) {
      ending =
        action.kind === 'end'
          ? { status: 'COMPLETED', output: JSON.parse(action.output) as Json }
          : { status: 'FAILED', ...failureOf(steps, action.failure) };
      return;
    }
    fork.open -= 1;
    if (action.kind === 'end') fork.outputs[position] = action.output;
    else if (++fork.failed > fork.tolerated) {
      fork.closed = true;
      schedule(fork.parent, now, { kind: 'failed', failure: action.failure });
      return;
    }
    const queued = fork.queued.shift();
    if (queued) schedule(queued, now);
    if (fork.open === 0) schedule(fork.parent, now, joined(fork));
  }
}

/** Whether no fork above the thread was stopped. */
function isOpen({ fork }: Thread): boolean {
  return !fork || (!fork.closed && isOpen(fork.parent));
}

/** The outputs of a fork's threads, in order and without those that failed. */
function joined({ outputs }: Fork): StepOutcome {
  const present = outputs.filter((output) => output !== undefined);
  const bytes = present.reduce((sum, output) => sum + Buffer.byteLength(output), 0);
  if (bytes <= maximumPayloadBytes) {
    return { kind: 'succeeded', result: present.map((output) => JSON.parse(output) as Json) };
  }
  const cause = `The result is larger than ${maximumPayloadBytes} bytes.`;
  return { kind: 'stopped', failure: { error: 'States.DataLimitExceeded', cause } };
}

/** A failure as the API reports it, with the expression that the last step names. */
function failureOf(steps: readonly Step[], failure: MachineError) {
  const { error, cause } = reportedFailure(failure.error, failure.cause);
  const expression = steps.findLast((step) => step.failure?.cause === failure.cause)?.failure?.expression;
  return { error, cause, ...(expression && { expression }) };
}

function endingAtDeadline({ timeoutAt, expiresAt }: Simulation): Ending {
  if (!timeoutAt || timeoutAt >= expiresAt) return { status: 'EXPIRED' };
  return { status: 'FAILED', ...executionTimeout };
}
