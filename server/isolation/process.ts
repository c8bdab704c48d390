import { startWatchdog } from './watchdog.ts';
import type { TaskMessage, WorkerMessage } from './worker.ts';

/** The main module of a worker process: `process.ts <module URL> <MiB>`. */
const [module = '', memoryMiB] = process.argv.slice(2);

const send = (message: WorkerMessage) => process.send?.(message);

// A terminal or a service manager signals the whole process group, but the platform stops its workers itself.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());

const watchdog = startWatchdog(Number(memoryMiB));
const tasks: Record<string, (input: unknown) => unknown> = await import(module);

process.on('message', async ({ task, input, cpuMs }: TaskMessage) => {
  watchdog.begin(cpuMs);
  try {
    const result = await tasks[task]?.(input);
    send({ result });
  } catch (error) {
    send({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  watchdog.end();
});
send({ ready: true });
