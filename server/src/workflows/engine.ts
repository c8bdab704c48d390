import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { JobData, Jobs, RunningJob } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { findDocument } from '../store/definitions.ts';
import { loadThread, type Thread } from '../store/threads.ts';
import type { CallbackTokens } from './callback-tokens.ts';
import { type Calls, runningCalls } from './calls.ts';
import { Elsewhere } from './elsewhere.ts';
import { executionInput } from './execution-input.ts';
import type { Action, ExecutionContext, Frame, Machine, MachineError, Outcome } from './machine/actions.ts';
import { machines } from './machines.ts';
import { settle } from './settle.ts';
import { type Attempt, TaskFailure, type Tasks } from './tasks/task.ts';

export interface EngineDependencies {
  database: Database;
  jobs: Jobs;
  blobs: BlobStore;
  tasks: Tasks;
  tokens: CallbackTokens;
  logger: Logger;
  now(): Date;
}

/** A thread while a job has it. */
export interface Run {
  thread: Thread & { frame: Frame };
  machine: Machine;
}

/** Runs executions, thread by thread, from checkpoint to checkpoint. */
export interface Engine {
  /** Takes a thread on until it waits or ends. */
  step(data: JobData['execution-step']): Promise<void>;
  /** Does the work outside that a thread waits for, and takes it on. */
  call(data: JobData['execution-call'], job: Pick<RunningJob, 'signal'>): Promise<void>;
  calls: Calls;
}

/** Milliseconds after which a thread that neither waits nor ends lets others have their turn. */
const turnMilliseconds = 1_000;

export function executionEngine(dependencies: EngineDependencies): Engine {
  const { database, jobs, tasks, tokens, logger, now } = dependencies;
  const machineOf = machines((revisionId) => findDocument(database, revisionId));
  const calls = runningCalls(database);

  return {
    calls,

    async step({ threadId, turn, dueAt }) {
      const thread = await loadThread(database, threadId, turn);
      if (!thread) return;
      const outcome = outcomeOf(thread, dueAt);
      if (outcome === 'put off') return putOff(thread);
      await takeOn(await open(thread), outcome);
    },

    async call({ threadId, turn }, { signal }) {
      const thread = await loadThread(database, threadId, turn);
      if (thread?.awaiting !== 'call' || !thread.task) return;
      const run = await open(thread);
      const outcome = thread.outcome ?? (await calls.run(thread, signal, (stop) => work(run, stop)));
      await takeOn(run, outcome);
    },
  };

  async function open(thread: Thread): Promise<Run> {
    const { execution } = thread;
    const machine = await machineOf(execution.revisionId);
    const frame = thread.frame ?? machine.begin(executionInput(execution), execution.createdAt);
    return { machine, thread: { ...thread, frame } };
  }

  /** What the thread waited for has come about: how did it come out? Undefined where its state is to run. */
  function outcomeOf({ awaiting, outcome, ...thread }: Thread, dueAt?: string): Outcome | 'put off' | undefined {
    if (outcome) return outcome;
    if (awaiting === 'wait') return { kind: 'elapsed' };
    if (awaiting !== 'callback') return undefined;
    const deadline = dueOf(thread);
    if (!deadline) return 'put off';
    if (dueAt !== undefined && deadline > new Date(dueAt)) return 'put off';
    const missed = thread.timeoutAt && thread.timeoutAt <= deadline ? 'States.Timeout' : 'States.HeartbeatTimeout';
    const cause = missed === 'States.Timeout' ? 'No answer came in time.' : 'No heartbeat came in time.';
    return { kind: 'failed', failure: { error: missed, cause } };
  }

  /** A heartbeat has come since this job was set: the same turn goes on waiting. */
  async function putOff(thread: Thread): Promise<void> {
    const deadline = dueOf(thread);
    if (!deadline) return;
    const data = { threadId: thread.id, turn: thread.turn, dueAt: deadline.toISOString() };
    const delayMilliseconds = Math.max(deadline.getTime() - now().getTime(), 1);
    await jobs.enqueue(database, 'execution-step', data, { delayMilliseconds });
  }

  async function takeOn(run: Run, outcome: Outcome | undefined): Promise<void> {
    const until = performance.now() + turnMilliseconds;
    try {
      for (let action = await next(run, outcome); ; action = await next(run, undefined)) {
        const goesOn = await settle(dependencies, run, await withTasksDone(run, action), {
          yields: performance.now() > until,
        });
        if (!goesOn) return;
      }
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error;
    }
  }

  /** Runs the thread's state, or goes on with it once it knows an outcome. */
  async function next({ thread, machine }: Run, outcome: Outcome | undefined): Promise<Action> {
    const context = contextOf(thread);
    try {
      return outcome
        ? await machine.resume(thread.scope, thread.frame, outcome, context, now())
        : await machine.run(thread.scope, thread.frame, context, now());
    } catch (error) {
      // A fault of ours: the same again would come of a repeat.
      logger.error({ err: error, executionId: thread.executionId, state: thread.frame.state }, 'interpreter');
      const cause = 'The interpreter failed; the log of the platform says how.';
      return { kind: 'fail', failure: { error: 'States.Runtime', cause } };
    }
  }

  function contextOf({ id, step, callbackStep, execution }: Run['thread']): ExecutionContext {
    return {
      execution: {
        id: execution.id,
        input: executionInput(execution),
        name: execution.id,
        startTime: execution.createdAt.toISOString(),
      },
      stateMachine: { id: execution.definitionId, name: execution.name },
      taskToken: tokens.of({ threadId: id, step: callbackStep ?? step }),
    };
  }

  /** Changes of ours are made with the checkpoint that follows them; all other actions are left as they are. */
  async function withTasksDone(run: Run, action: Action) {
    if (action.kind !== 'task') return { action };
    const task = tasks[action.resource];
    if (task?.kind !== 'change') return { action };
    run.thread.frame = action.frame;
    const prepared = await attempted(() => {
      const attempt = attemptOf(run);
      return task.prepare(argumentsOf(action.arguments), attempt);
    });
    if ('failure' in prepared) {
      return { action: await next(run, { kind: 'failed', failure: prepared.failure }), done: action };
    }
    const { result, write } = prepared.value;
    return { action: await next(run, { kind: 'succeeded', result }), done: action, write };
  }

  /** The call of a task, within its time. */
  async function work(run: Run, stop: AbortSignal): Promise<Outcome> {
    const { task } = run.thread;
    const known = task && tasks[task.resource];
    if (!known || known.kind === 'change') throw new Error(`no call: ${task?.resource}`);
    const timeout = AbortSignal.timeout(Math.ceil(task.timeoutSeconds * 1000));
    const signal = AbortSignal.any([stop, timeout]);
    const attempt = attemptOf(run);
    const result = await attempted(async () => {
      const asked = argumentsOf(task.arguments);
      if (known.kind === 'call') return known.call(asked, attempt, signal);
      const step = run.thread.callbackStep as number;
      await known.request(asked, attempt, signal, tokens.of({ threadId: run.thread.id, step }));
      return null;
    });
    // What was stopped from outside is nobody's failure: the job is run again, or the thread is gone.
    if (stop.aborted) throw stop.reason;
    if (!('failure' in result)) return { kind: 'succeeded', result: result.value };
    if (!timeout.aborted) return { kind: 'failed', failure: result.failure };
    const cause = `The task did not end within ${task.timeoutSeconds} seconds.`;
    return { kind: 'failed', failure: { error: 'States.Timeout', cause } };
  }

  function attemptOf({ thread }: Run): Attempt {
    return { execution: thread.execution, idempotencyKey: `${thread.id}-${thread.step}`, now: now() };
  }
}
