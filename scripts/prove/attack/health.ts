import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PlatformProcess } from '../platform.ts';

/** `begin` discards what was measured so far; `end` requests the report. */
export type HealthMessage = 'begin' | 'end';

export interface HealthReport {
  /** Milliseconds of each response. */
  durations: number[];
  /** The same without the time that the platform waited for a processor: on a busy machine, that is not its fault. */
  unqueued: number[];
  failures: string[];
}

/** Measures `/healthz` of both environments from another process. */
export interface HealthCheck extends Disposable {
  during(work: () => Promise<void>): Promise<HealthReport>;
}

export function openHealthCheck({ pid, demo, sandbox }: PlatformProcess): HealthCheck {
  const args = [String(pid), demo.baseUrl, sandbox.baseUrl];
  const child = fork(join(import.meta.dirname, 'health-child.ts'), args);
  const send = (message: HealthMessage) => child.send(message);
  return {
    async during(work) {
      send('begin');
      await work();
      const reported = once(child, 'message');
      send('end');
      const [report] = (await reported) as [HealthReport];
      return report;
    },
    [Symbol.dispose]() {
      if (child.connected) child.disconnect();
    },
  };
}
