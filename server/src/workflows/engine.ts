import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Frame, Outcome } from '../domain/checkpoints.ts';
import type { MachineError } from '../domain/failures.ts';
import type { JobData, Jobs, RunningJob } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { findDocument } from '../store/definitions.ts';
import type { EndedExecution, Ending } from '../store/executions.ts';
import { gather } from '../store/gather.ts';
import { loadThreads, type Thread } from '../store/threads.ts';
import type { CallbackTokens } from './callback-tokens.ts';
import { type Calls, CallUnwanted, runningCalls } from './calls.ts';
import { Elsewhere } from './elsewhere.ts';
import { executionInput } from './execution-input.ts';
import type { Action, ExecutionContext, Machine } from './machine/actions.ts';
import { machines } from './machines.ts';
import { type Settlement, settle } from './settle.ts';
import { attempted, attemptOf, callOf } from './tasks/attempt.ts';
import { TaskFailure, type Tasks } from './tasks/task.ts';
import { answerOrWait, unanswered } from './waiting.ts';

export interface EngineDependencies {
  database: Database;
  jobs: Jobs;
  blobs: BlobStore;
  tasks: Tasks;
  tokens: CallbackTokens;
  /** See `endTogether`. */
  end(ending: Ending): Promise<EndedExecution | undefined>;
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

type Wanted = Parameters<typeof loadThreads>[1][number];

/** Milliseconds after which a thread that neither waits nor ends lets others have their turn. */
const turnMilliseconds = 1_000;

export function executionEngine(dependencies: EngineDependencies): Engine {
  const { database, tasks, tokens, logger, now } = dependencies;
  const machineOf = machines((revisionId) => findDocument(database, revisionId));
  const calls = runningCalls(database);
  const load = gather((wanted: Wanted[]) => loadThreads(database, wanted), { most: 40, atOnce: 2 });

  return {
    calls,

    async step({ threadId, turn, dueAt }) {
      const thread = await load({ threadId, turn });
      if (!thread) return;
      const { outcome, awaiting } = thread;
      if (outcome || awaiting !== 'callback') {
        return takeOn(await open(thread), outcome ?? (awaiting === 'wait' ? { kind: 'elapsed' } : undefined));
      }
      const missed = await unanswered(dependencies, thread, dueAt);
      if (missed) await takeOn(await open(thread), missed);
    },

    async call({ threadId, turn }, { signal }) {
      const thread = await load({ threadId, turn });
      if (!thread) return;
      const run = await open(thread);
      // The call was over and the thread had gone on when a crash came: this job has it still.
      if (thread.awaiting !== 'call') return takeOn(run, undefined);
      try {
        // An answer that came before its request was over counts: the request need not be made again.
        const outcome =
          thread.outcome ?? (await calls.run(thread, signal, (stop) => callOf(dependencies, run, stop)));
        const isCallback = outcome === 'requested' || thread.callbackStep !== null;
        const settled = isCallback ? await answerOrWait(dependencies, run, outcome) : outcome;
        if (settled) await takeOn(run, settled);
      } catch (error) {
        if (!(error instanceof CallUnwanted || error instanceof Elsewhere)) throw error;
      }
    },
  };

  async function open(thread: Thread): Promise<Run> {
    const { execution } = thread;
    const machine = await machineOf(execution.revisionId);
    const frame = thread.frame ?? machine.begin(executionInput(execution), execution.createdAt);
    return { machine, thread: { ...thread, frame } };
  }

  async function takeOn(run: Run, first: Outcome | undefined): Promise<void> {
    const until = performance.now() + turnMilliseconds;
    try {
      for (let outcome = first; ; outcome = undefined) {
        const failure = outcome?.kind === 'failed' ? outcome.failure : undefined;
        const settlement = await withTaskDone(run, { action: await next(run, outcome), failure });
        const yields = performance.now() > until;
        const goesOn = await settle(dependencies, run, settlement, { yields }).catch(async (error) => {
          if (!(error instanceof TaskFailure)) throw error;
          return settle(dependencies, run, await withTaskFailed(run, settlement, error.failure), { yields });
        });
        if (!goesOn) return;
      }
    } catch (error) {
      if (!(error instanceof Elsewhere)) throw error;
    }
  }

  /** Runs the thread's state, or goes on with it once an outcome is known. */
  async function next({ thread, machine }: Run, outcome: Outcome | undefined): Promise<Action> {
    const context = contextOf(thread);
    try {
      return outcome
        ? await machine.resume(thread.scope, thread.frame, outcome, context, now())
        : await machine.run(thread.scope, thread.frame, context, now());
    } catch (error) {
      // A fault of ours: a repeat would come to the same.
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

  /** A change of ours is made at once, together with the checkpoint that follows it. */
  async function withTaskDone(run: Run, settlement: Settlement): Promise<Settlement> {
    const done = settlement.action;
    const task = done.kind === 'task' ? tasks[done.resource] : undefined;
    if (done.kind !== 'task' || task?.kind !== 'change') return settlement;
    run.thread.frame = done.frame;
    const prepared = await attempted(done.arguments, (given) => task.prepare(given, attemptOf(run, now())));
    if (prepared.kind === 'failed') return withTaskFailed(run, { done }, prepared.failure);
    const { result, write } = prepared.value;
    return { action: await next(run, { kind: 'succeeded', result }), done, write };
  }

  /** A task that failed before its change was written, or as it was: nothing of it was kept. */
  async function withTaskFailed(
    run: Run,
    { done }: Pick<Settlement, 'done'>,
    failure: MachineError,
  ): Promise<Settlement> {
    return { action: await next(run, { kind: 'failed', failure }), done, failure };
  }
}
