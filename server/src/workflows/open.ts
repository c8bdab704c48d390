import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import { callbackTokens } from './callbacks.ts';
import { endDue, endInBatches } from './ending.ts';
import { executionEngine } from './engine.ts';
import { openHistoryLimit } from './history-limit.ts';
import type { Stepper } from './steps/stepper.ts';
import { openTasks, type TaskDependencies } from './tasks/index.ts';

/** How late an execution may expire and an abandoned call be aborted. */
const checkMilliseconds = 1_000;

interface WorkflowOptions extends TaskDependencies {
  /** Preferably with its own connections, so that executions and requests do not wait for each other. */
  database: Database;
  callbackKey: KeyObject;
  stepper: Stepper;
  /** Default: 25,000. */
  maxHistoryEntries?: number | undefined;
  logger: Logger;
  now(): Date;
}

/** Runs executions in this process. */
export function workflowWorkers(options: WorkflowOptions) {
  const { database, logger, now } = options;
  const engine = executionEngine({
    ...options,
    tasks: openTasks(options),
    tokens: callbackTokens(options.callbackKey),
    historyLimit: openHistoryLimit(database, options.maxHistoryEntries),
    end: endInBatches(database),
  });
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<unknown> = Promise.resolve();

  const check = async () => {
    try {
      await endDue(database, now());
      await engine.calls.abortAbandoned();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'checking the deadlines of executions failed');
    }
    watch();
  };
  const watch = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      checking = check();
    }, checkMilliseconds);
  };

  return {
    workers: {
      'execution-step': engine.step,
      'execution-slow-step': engine.slowStep,
      'execution-call': engine.call,
    },
    /** Starts to check deadlines. */
    watch,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await checking;
    },
  };
}
