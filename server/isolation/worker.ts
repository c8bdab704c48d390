import { fork } from 'node:child_process';
import { TaskFailedError, TaskStoppedError } from './errors.ts';
import { limitMessages } from './watchdog.ts';

export interface WorkerOptions {
  /** Module whose exported functions are the tasks. */
  module: URL;
  /** Heap of the process in MiB. Its resident size may exceed it by 256 MiB, for Node itself and messages. */
  memoryMiB: number;
}

/** Sent to the process. */
export interface TaskMessage {
  task: string;
  input: unknown;
  cpuMs: number;
}

/** Sent by the process. */
export type WorkerMessage = { ready: true } | { result: unknown } | { failure: string };

export interface Task {
  message: TaskMessage;
  timeoutMs: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** A child process that runs one task at a time. */
export interface Worker {
  readonly task: Task | undefined;
  /** May be called before the process has started. */
  run(task: Task): void;
  /** @param reason the rejection of its task */
  kill(reason: unknown): void;
  readonly ended: Promise<void>;
}

const startMs = 60_000;
const maxStderrLength = 8_192;
/** The platform's environment contains secrets that the code of a definition must not see. */
const environmentVariables = ['NODE_COMPILE_CACHE', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'TZ'];

/** @param listener `free`: the worker can run another task */
export function startWorker(
  { module, memoryMiB }: WorkerOptions,
  listener: { free(): void; ended(): void },
): Worker {
  const child = fork(new URL('./process.ts', import.meta.url), [module.href, String(memoryMiB)], {
    execArgv: [`--max-old-space-size=${memoryMiB}`],
    env: Object.fromEntries(environmentVariables.map((name) => [name, process.env[name]])),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
  let task: Task | undefined;
  let ready = false;
  let killed: { reason: unknown } | undefined;
  let stderr = '';
  let timer: NodeJS.Timeout;

  const kill = (reason: unknown) => {
    killed ??= { reason };
    child.kill('SIGKILL');
  };
  const killAfter = (milliseconds: number) => {
    clearTimeout(timer);
    const detail = `not ${ready ? 'finished' : 'started'} after ${milliseconds} ms`;
    timer = setTimeout(() => kill(new TaskStoppedError('time', detail)), milliseconds);
  };
  const send = () => {
    if (!task || !ready) return;
    killAfter(task.timeoutMs);
    // If the process has exited, `end` rejects the task.
    child.send(task.message, () => {});
  };
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    clearTimeout(timer);
    task?.reject(killed ? killed.reason : exitError({ ready, status: code ?? signal, stderr }));
    task = undefined;
    onEnded();
    listener.ended();
  };

  killAfter(startMs);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, maxStderrLength);
  });
  child.on('message', (message: WorkerMessage) => {
    clearTimeout(timer);
    if ('ready' in message) {
      ready = true;
      if (task) send();
      else if (!killed) listener.free();
      return;
    }
    const done = task;
    task = undefined;
    if ('result' in message) done?.resolve(message.result);
    else done?.reject(new TaskFailedError(message.failure));
    if (!killed) listener.free();
  });
  child.once('error', (error) => kill(error));
  child.once('close', end);

  return {
    get task() {
      return task;
    },
    run(next) {
      task = next;
      send();
    },
    kill,
    ended,
  };
}

interface Exit {
  ready: boolean;
  status: number | NodeJS.Signals | null;
  stderr: string;
}

/** The error of a task whose process has exited. */
function exitError({ ready, status, stderr }: Exit): Error {
  const detail = `exit ${status} ${stderr.slice(0, 500)}`.trim();
  // A failed start is not the task's error.
  if (!ready) return new Error(`A worker process did not start: ${detail}`);
  if (stderr.includes(limitMessages.time)) return new TaskStoppedError('time', detail);
  const memory = [limitMessages.memory, 'heap out of memory', 'Allocation failed'];
  const outOfMemory = memory.some((text) => stderr.includes(text));
  return new TaskStoppedError(outOfMemory ? 'memory' : 'death', detail);
}
