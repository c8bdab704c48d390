import type { Logger } from 'pino';
import type { BlobStore } from '../../blobs/index.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import type { EndedExecution, Ending } from '../store/executions.ts';
import type { HistoryEntry, Thread } from '../store/threads.ts';
import type { CallbackTokens } from './callback-tokens.ts';
import type { HistoryLimit } from './history-limit.ts';
import type { StepAction } from './steps/step.ts';
import type { Lane, Stepper } from './steps/stepper.ts';
import type { Tasks } from './tasks/task.ts';

export interface EngineDependencies {
  database: Database;
  jobs: Jobs;
  blobs: BlobStore;
  tasks: Tasks;
  tokens: CallbackTokens;
  stepper: Stepper;
  historyLimit: HistoryLimit;
  /** Ends an execution; concurrent endings are batched. See `endInBatches`. */
  end(ending: Ending): Promise<EndedExecution | undefined>;
  logger: Logger;
  now(): Date;
}

/** A thread that a job runs. */
export interface Run {
  thread: Thread;
  lane: Lane;
}

/** An action with the history entries that precede it. */
export interface Step {
  action: StepAction;
  entries: HistoryEntry[];
  /** How many of the entries the history limit has counted. Default: 0. */
  counted?: number;
  /** Makes the task's change in the transaction of the checkpoint. */
  write?: ((transaction: Database) => Promise<void>) | undefined;
}
