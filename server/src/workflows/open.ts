import type { Logger } from 'pino';
import { callbackTokens } from '../domain/callback-tokens.ts';
import type { DerivedKeys } from '../domain/derived-keys.ts';
import type { Database } from '../store/database.ts';
import type { DueWork } from '../store/due-work.ts';
import { endDue, endInBatches } from './ending.ts';
import { executionEngine } from './engine.ts';
import { openHistoryLimit } from './history-limit.ts';
import { hostHealth } from './host-health.ts';
import { wakeResumed } from './pauses.ts';
import type { Stepper } from './steps/stepper.ts';
import { openTasks, type TaskDependencies } from './tasks/index.ts';

/** How late an abandoned call may be aborted. */
const checkMilliseconds = 1_000;

interface WorkflowOptions extends TaskDependencies {
  /** Preferably with its own connections, so that executions and requests do not wait for each other. */
  database: Database;
  callbackKeys: DerivedKeys;
  stepper: Stepper;
  /** Default: 25,000. */
  maxHistoryEntries?: number | undefined;
  /** Called with the number of hosts whose calls fail, when it changes. */
  onHostsFailing?: ((count: number) => void) | undefined;
  logger: Logger;
  now(): Date;
}

/** Runs executions in this process. */
export function workflowWorkers(options: WorkflowOptions) {
  const { database, logger, now } = options;
  const engine = executionEngine({
    ...options,
    tasks: openTasks(options),
    tokens: callbackTokens(options.callbackKeys),
    hosts: hostHealth({ logger, onChange: options.onHostsFailing }),
    historyLimit: openHistoryLimit(database, options.maxHistoryEntries),
    end: endInBatches(database),
  });
  let stopped = false;
  let ending: Promise<unknown> = Promise.resolve();
  let waking: Promise<void> | undefined;
  /** Runs `work`, and logs if it fails. */
  const attempt = async (work: () => Promise<unknown>, message: string) => {
    try {
      await work();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, message);
    }
  };
  const wake = async (resumed: string[]) => {
    const work = () => wakeResumed(options, resumed, () => stopped);
    await attempt(work, 'continuing the executions of resumed definitions failed');
    waking = undefined;
  };
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<unknown> = Promise.resolve();
  const watch = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      checking = attempt(engine.calls.abortAbandoned, 'looking for abandoned calls failed').then(watch);
    }, checkMilliseconds);
  };

  return {
    workers: {
      'execution-step': engine.step,
      'execution-slow-step': engine.slowStep,
      'execution-call': engine.call,
    },
    /** Starts to abort abandoned calls. */
    watch,
    /** Ends the executions whose deadline has passed, and continues those of definitions that were resumed. */
    round({ executions, resumed }: Pick<DueWork, 'executions' | 'resumed'>) {
      // There may be many: the round does not wait for them.
      if (resumed.length > 0) waking ??= wake(resumed);
      if (executions)
        ending = attempt(() => endDue(database, now()), 'checking the deadlines of executions failed');
      return ending;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([checking, ending, waking]);
    },
  };
}
