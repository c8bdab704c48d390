import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the benchmark's own that answers questions, one at a time. */
export interface Child {
  /** @throws what it says went wrong, or that it has ended */
  ask<Answer>(question: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

type Answered = { value: unknown } | { error: string };

const patienceMilliseconds = 20_000;

/**
 * Starts a module in a process of its own.
 *
 * @param before the command that runs it, for instance on a certain processor
 * @param signal kills it
 */
export async function startChild(
  module: URL,
  {
    args = [],
    before = [],
    env = {},
    signal,
  }: { args?: string[]; before?: string[]; env?: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Child> {
  const name = [fileURLToPath(module).split('/').at(-1), ...args.slice(0, 1)].join(' ');
  const [command, ...rest] = [...before, process.execPath, fileURLToPath(module), ...args];
  const { INIT_CWD: _, ...inherited } = process.env;
  const child = spawn(command as string, rest, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...inherited, ...env },
  });
  const kill = () => void child.kill();
  signal.addEventListener('abort', kill, { once: true });
  await answerOf(child, name, signal);
  return {
    async ask<Answer>(question: unknown) {
      child.send({ question });
      return (await answerOf(child, name, signal)) as Answer;
    },
    async stop() {
      signal.removeEventListener('abort', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds);
      await gone;
      clearTimeout(timer);
    },
  };
}

async function answerOf(child: ChildProcess, name: string, signal: AbortSignal): Promise<unknown> {
  const ended = new AbortController();
  const waiting = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    const [answer] = (await Promise.race([
      once(child, 'message', waiting),
      once(child, 'exit', waiting).then(([code, how]) => {
        throw new Error(`${name} ended with ${code ?? how} instead of answering.`);
      }),
    ])) as [Answered];
    if ('error' in answer) throw new Error(`${name}: ${answer.error}`);
    return answer.value;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    ended.abort();
  }
}

/**
 * The other side: says that it is ready, answers each question, and ends when nobody asks any more.
 *
 * @param close before the process ends
 */
export function answerQuestions(
  answer: (question: never) => unknown,
  close: () => Promise<unknown> = async () => {},
): void {
  process.on('message', async ({ question }: { question: never }) => {
    try {
      process.send?.({ value: await answer(question) });
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
  const end = () => void close().finally(() => process.exit());
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // Whoever started it decides when it ends.
  process.on('SIGINT', () => {});
  process.send?.({ value: 'ready' });
}
