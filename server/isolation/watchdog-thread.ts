import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { cpuMilliseconds, flag, limitMessages, type WatchdogMemory } from './watchdog.ts';

const { flags, deadline, maxResidentBytes } = workerData as WatchdogMemory;
const intervalMs = 25;
/** After this number of checks without a task the thread sleeps until the next task starts. */
const checksBeforeSleep = 40;

const kill = (message: string) => {
  writeSync(2, `${message}\n`);
  process.kill(process.pid, 'SIGKILL');
};
const pause = new Int32Array(new SharedArrayBuffer(4));

for (let idleChecks = 0; ; ) {
  Atomics.wait(pause, 0, 0, intervalMs);
  if (Atomics.load(flags, flag.running) === 1) {
    idleChecks = 0;
    if (cpuMilliseconds() > (deadline[0] as number)) kill(limitMessages.time);
    else if (process.memoryUsage.rss() > maxResidentBytes) kill(limitMessages.memory);
  } else if (++idleChecks >= checksBeforeSleep) {
    Atomics.store(flags, flag.asleep, 1);
    Atomics.wait(flags, flag.running, 0);
    Atomics.store(flags, flag.asleep, 0);
    idleChecks = 0;
  }
}
