import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome } from './child.ts';

export type { Outcome } from './child.ts';

/** The Redocly CLI of this project, kept loaded: a command costs what it does, not what it takes to start. */
export type Redocly = {
  /**
   * Runs one command, after those that were asked for before. A finding is no error: look at `code`.
   * @throws where the process ends before it answers, or takes longer than a minute
   */
  run(args: string[]): Promise<Outcome>;
  /** Forgets what is loaded: the lint rules of our own are modules, and load once. */
  restart(): void;
  close(): void;
};

const script = fileURLToPath(new URL('child.ts', import.meta.url));
const patience = 60_000;
// Each command leaves the CLI's entry module (about 5 MB) behind.
const runsPerProcess = 40;

/** @param root the project's root: where commands run, and whose redocly.yaml counts */
export function openRedocly(root: URL): Redocly {
  let child: ChildProcess | undefined;
  let runs = 0;
  let queue: Promise<unknown> = Promise.resolve();

  function running(): ChildProcess {
    if (child?.connected && runs++ < runsPerProcess) return child;
    stop();
    runs = 1;
    child = fork(script, [fileURLToPath(new URL('node_modules/@redocly/cli/lib/index.js', root))], {
      cwd: fileURLToPath(root),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A smaller young generation halves the heap and costs nothing measurable.
      execArgv: ['--max-semi-space-size=4'],
    });
    // Nobody waits for it: a command that is done may end.
    child.unref();
    child.channel?.unref();
    return child;
  }

  function stop(): void {
    child?.removeAllListeners('exit');
    child?.kill();
    child = undefined;
  }

  async function answer(args: string[]): Promise<Outcome> {
    const process = running();
    const ended = new AbortController();
    process.channel?.ref();
    process.once('exit', () => ended.abort());
    const timer = setTimeout(() => ended.abort(), patience);
    try {
      const answered = once(process, 'message', { signal: ended.signal });
      process.send({ args } satisfies Order);
      const [outcome] = (await answered) as [Outcome];
      return outcome;
    } catch {
      stop();
      throw new Error(`redocly ${args[0]} ended without an answer.`);
    } finally {
      clearTimeout(timer);
      process.removeAllListeners('exit');
      process.channel?.unref();
    }
  }

  return {
    run(args) {
      const turn = queue.then(() => answer(args));
      queue = turn.catch(() => {});
      return turn;
    },
    restart() {
      queue = queue.then(stop);
    },
    close: stop,
  };
}

/** Gives `work` a Redocly that ends with it. */
export async function withRedocly<Result>(
  root: URL,
  work: (redocly: Redocly) => Promise<Result>,
): Promise<Result> {
  const redocly = openRedocly(root);
  try {
    return await work(redocly);
  } finally {
    redocly.close();
  }
}
