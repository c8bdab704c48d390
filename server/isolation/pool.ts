import { PoolBusyError, PoolClosedError } from './errors.ts';
import { startWorker, type Task, type Worker, type WorkerOptions } from './worker.ts';

/** Runs tasks that may loop, exhaust memory or crash, each in a child process that can be killed. */
export interface Pool {
  /**
   * Runs one exported function of the pool's module.
   *
   * @param input structured-cloned, as is the result; the caller's thread pays for copying them
   * @throws TaskStoppedError if the task exceeds a limit or its process dies, TaskFailedError if it throws,
   *   PoolBusyError if too many tasks are waiting, PoolClosedError, or the reason of an aborted `signal`
   */
  run<Result>(task: string, input: unknown, limits: TaskLimits): Promise<Result>;
  /** Kills all processes and rejects all running and waiting tasks. */
  close(): Promise<void>;
}

interface TaskLimits {
  /** CPU time, which does not depend on the load of the machine. */
  cpuMs: number;
  /** Wall time from the start of the task. Default: 20 times `cpuMs`. */
  timeoutMs?: number;
  /** Withdraws the task while it waits for a process. One that runs is completed. */
  signal?: AbortSignal | undefined;
}

export interface PoolOptions extends WorkerOptions {
  /** Maximum number of processes. Each is started when it is first needed. */
  processes: number;
  /** Maximum number of tasks that wait for a process. Default: 1,000. */
  maxWaiting?: number;
  /** How long an idle process is kept. Default: 60,000. */
  idleMs?: number;
}

/**
 * Opens a pool of child processes. Worker threads do not suffice: V8 aborts the whole process when a large allocation
 * fails in a thread, whatever its `resourceLimits`, and a thread cannot be terminated during a native call such as
 * `JSON.parse`.
 */
export function openPool({ processes, maxWaiting = 1_000, idleMs = 60_000, ...options }: PoolOptions): Pool {
  const workers = new Set<Worker>();
  const idle = new Map<Worker, NodeJS.Timeout>();
  const waiting: Task[] = [];
  let closed = false;

  const dispatch = () => {
    while (waiting.length > 0) {
      const worker = takeIdle() ?? (workers.size < processes ? start() : undefined);
      if (!worker) return;
      worker.run(waiting.shift() as Task);
    }
  };

  const takeIdle = (): Worker | undefined => {
    // The most recently used one, so that the others can exit.
    const worker = [...idle.keys()].at(-1);
    if (worker) {
      clearTimeout(idle.get(worker));
      idle.delete(worker);
    }
    return worker;
  };

  const start = (): Worker => {
    const worker = startWorker(options, {
      free() {
        const exit = () => {
          // It must not be given a task before its exit is known.
          idle.delete(worker);
          worker.kill(new PoolClosedError('The process was idle.'));
        };
        idle.set(worker, setTimeout(exit, idleMs));
        dispatch();
      },
      ended() {
        clearTimeout(idle.get(worker));
        idle.delete(worker);
        workers.delete(worker);
        dispatch();
      },
    });
    workers.add(worker);
    return worker;
  };

  return {
    async run<Result>(task: string, input: unknown, { cpuMs, timeoutMs = cpuMs * 20, signal }: TaskLimits) {
      if (closed) throw new PoolClosedError('The pool is closed.');
      if (waiting.length >= maxWaiting) throw new PoolBusyError('Too many tasks are waiting.');
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const pending: Task = { message: { task, input, cpuMs }, timeoutMs, resolve, reject };
      const abort = () => {
        const index = waiting.indexOf(pending);
        if (index === -1) return;
        waiting.splice(index, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
      waiting.push(pending);
      dispatch();
      return promise.finally(() => signal?.removeEventListener('abort', abort)) as Promise<Result>;
    },

    async close() {
      closed = true;
      const reason = new PoolClosedError('The pool was closed.');
      for (const { reject } of waiting.splice(0)) reject(reason);
      const all = [...workers];
      for (const worker of all) worker.kill(reason);
      await Promise.all(all.map((worker) => worker.ended));
    },
  };
}
