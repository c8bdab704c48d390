import { fork } from 'node:child_process';
import { TaskFailedError, TaskStoppedError } from './errors.ts';
import { limitMessages } from './watchdog.ts';

export interface WorkerOptions {
  /** Module whose exported functions are the tasks. */
  module: URL;
  /** Heap of the process in MiB. Its resident size may exceed it by 128 MiB, which Node itself takes most of. */
  memoryMiB: number;
}

/** What the process receives. */
export interface TaskMessage {
  task: string;
  input: unknown;
  cpuMs: number;
}

/** What the process sends. */
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
  /** The first task may be given before the process is up. */
  run(task: Task): void;
  /** @param reason what its task is rejected with */
  kill(reason: unknown): void;
  readonly ended: Promise<void>;
}

interface Listener {
  /** The worker can run another task. */
  free(): void;
  ended(): void;
}

const startMs = 60_000;
const maxStderrLength = 8_192;
/** The environment of the platform holds secrets, which the code of a definition must never see. */
const environmentVariables = ['NODE_COMPILE_CACHE', 'PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'TZ'];

export function startWorker({ module, memoryMiB }: WorkerOptions, listener: Listener): Worker {
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
    const detail = `not ${ready ? 'done' : 'started'} after ${milliseconds} ms`;
    timer = setTimeout(() => kill(new TaskStoppedError('time', detail)), milliseconds);
  };
  const send = () => {
    if (!task || !ready) return;
    killAfter(task.timeoutMs);
    // If the process is gone, its end rejects the task.
    child.send(task.message, () => {});
  };
  const end = (code: number | null, signal: NodeJS.Signals | null) => {
    clearTimeout(timer);
    task?.reject(killed ? killed.reason : deathOf({ ready, code, signal, stderr }));
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
      else listener.free();
      return;
    }
    const done = task;
    task = undefined;
    if ('result' in message) done?.resolve(message.result);
    else done?.reject(new TaskFailedError(message.failure));
    listener.free();
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

/** What the death of a process means for its task. */
function deathOf({
  ready,
  code,
  signal,
  stderr,
}: {
  ready: boolean;
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
}): Error {
  const detail = `exit ${code ?? signal} ${stderr.slice(0, 500)}`.trim();
  // Nothing is wrong with the task if its process never came up.
  if (!ready) return new Error(`A worker process did not start: ${detail}`);
  if (stderr.includes(limitMessages.time)) return new TaskStoppedError('time', detail);
  const memory = [limitMessages.memory, 'heap out of memory', 'Allocation failed'];
  const outOfMemory = memory.some((text) => stderr.includes(text));
  return new TaskStoppedError(outOfMemory ? 'memory' : 'death', detail);
}
