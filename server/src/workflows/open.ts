import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Jobs, Workers } from '../jobs/jobs.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Database } from '../store/database.ts';
import { callbackTokens } from './callback-tokens.ts';
import { endDue } from './deadlines.ts';
import { endInBatches } from './ending.ts';
import { executionEngine } from './engine.ts';
import { openHistoryLimit } from './history-limit.ts';
import type { Stepper } from './steps/stepper.ts';
import { openTasks } from './tasks/index.ts';

/** Runs executions in this process. */
export interface WorkflowWorkers {
  workers: Pick<Workers, 'execution-step' | 'execution-slow-step' | 'execution-call'>;
  /** Starts to check deadlines. */
  watch(): void;
  stop(): Promise<void>;
}

/** How late an execution may expire and an abandoned call be aborted. */
const checkMilliseconds = 1_000;

export function workflowWorkers({
  database,
  blobs,
  jobs,
  outbound,
  baseUrl,
  callbackKey,
  storageQuota,
  stepper,
  maxHistoryEntries,
  logger,
  now,
}: {
  /** Preferably with its own connections, so that executions and requests do not wait for each other. */
  database: Database;
  blobs: BlobStore;
  jobs: Jobs;
  outbound: Pick<Outbound, 'request'>;
  baseUrl: string;
  callbackKey: KeyObject;
  /** Bytes that an organization may store; undefined: unlimited. */
  storageQuota: number | undefined;
  stepper: Stepper;
  /** Default: 25,000. */
  maxHistoryEntries?: number | undefined;
  logger: Logger;
  now(): Date;
}): WorkflowWorkers {
  const tasks = openTasks({ database, blobs, jobs, outbound, baseUrl, storageQuota });
  const tokens = callbackTokens(callbackKey);
  const end = endInBatches(database);
  const historyLimit = openHistoryLimit(database, maxHistoryEntries);
  const engine = executionEngine({
    database,
    jobs,
    blobs,
    tasks,
    tokens,
    stepper,
    historyLimit,
    end,
    logger,
    now,
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
    watch,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await checking;
    },
  };
}
