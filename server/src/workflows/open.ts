import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Jobs, Workers } from '../jobs/jobs.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Database } from '../store/database.ts';
import { callbackTokens } from './callback-tokens.ts';
import { endDue } from './deadlines.ts';
import { endTogether } from './ending.ts';
import { executionEngine } from './engine.ts';
import { openHistoryLimit } from './history-limit.ts';
import type { Stepper } from './steps/stepper.ts';
import { openTasks } from './tasks/index.ts';

/** What runs executions in this process. */
export interface WorkflowWorkers {
  workers: Pick<Workers, 'execution-step' | 'execution-slow-step' | 'execution-call'>;
  /** Begins to watch the clock. */
  watch(): void;
  stop(): Promise<void>;
}

/** How late an execution may expire, and a call that nobody waits for be stopped. */
const lookMilliseconds = 1_000;

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
  /** Best with connections of its own, so that executions and requests do not wait for each other's. */
  database: Database;
  blobs: BlobStore;
  jobs: Jobs;
  outbound: Pick<Outbound, 'request'>;
  baseUrl: string;
  callbackKey: KeyObject;
  /** Bytes that an organization may store; undefined: any number. */
  storageQuota: number | undefined;
  stepper: Stepper;
  /** Default: 25,000. */
  maxHistoryEntries?: number | undefined;
  logger: Logger;
  now(): Date;
}): WorkflowWorkers {
  const tasks = openTasks({ database, blobs, jobs, outbound, baseUrl, storageQuota });
  const tokens = callbackTokens(callbackKey);
  const end = endTogether(database);
  const historyLimit = openHistoryLimit(database, maxHistoryEntries);
  const engine = executionEngine({
    ...{ database, jobs, blobs, tasks, tokens, stepper, historyLimit, end, logger, now },
  });
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();

  const look = async () => {
    try {
      await endDue(database, now());
      await engine.calls.stopUnwanted();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'the deadlines of executions could not be looked at');
    }
    watch();
  };
  const watch = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      looking = look();
    }, lookMilliseconds);
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
      await looking;
    },
  };
}
