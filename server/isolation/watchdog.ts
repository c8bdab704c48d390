import { Worker } from 'node:worker_threads';

/** Written to standard error before the process is killed. */
export const limitMessages = { time: 'CPU time limit exceeded', memory: 'memory limit exceeded' };

/** For Node itself, messages in transit and garbage collection. */
const overheadMiB = 256;

/** Memory shared with the thread. */
export interface WatchdogMemory {
  /** `running`: a task is running. `asleep`: the thread waits until it is notified. */
  flags: Int32Array;
  /** The CPU time of the process at which the task exceeds its limit. */
  deadline: Float64Array;
  maxResidentBytes: number;
}

export const flag = { running: 0, asleep: 1 };

/** Kills its own process when a task exceeds a limit, from a thread that no task can block. */
export function startWatchdog(memoryMiB: number) {
  const memory: WatchdogMemory = {
    flags: new Int32Array(new SharedArrayBuffer(8)),
    deadline: new Float64Array(new SharedArrayBuffer(8)),
    maxResidentBytes: (memoryMiB + overheadMiB) * 1024 * 1024,
  };
  const { flags, deadline } = memory;
  new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: memory }).unref();
  return {
    begin(cpuMs: number) {
      deadline[0] = cpuMilliseconds() + cpuMs;
      Atomics.store(flags, flag.running, 1);
      // Under load the thread is awake and need not be notified.
      if (Atomics.load(flags, flag.asleep) === 1) Atomics.notify(flags, flag.running);
    },
    end() {
      Atomics.store(flags, flag.running, 0);
    },
  };
}

/** CPU time of all threads of this process. */
export function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
