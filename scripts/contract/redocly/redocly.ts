import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Outcome, Request } from './child.ts';

export type { Outcome } from './child.ts';

/** The Redocly CLI of this project. */
export type Redocly = {
  /**
   * Runs one command, after those requested before. Findings do not throw: check `code`.
   * @throws if the process exits, or takes too long
   */
  run(args: string[]): Promise<Outcome>;
};

/** Redocly in a process that stays loaded, so that only the first command waits for its start. */
export type RedoclyProcess = Redocly &
  Disposable & {
    /** Unloads everything, so that changed lint rules, which are modules, are loaded again. */
    restart(): void;
    close(): void;
  };

const script = fileURLToPath(new URL('child.ts', import.meta.url));
// Each command leaves an instance of the CLI's entry module (about 5 MB) in memory.
const runsPerProcess = 40;

/**
 * `using redocly = openRedocly(root)` closes it at the end of the block.
 *
 * @param root the project's root: where commands run and redocly.yaml is read
 * @param timeoutSeconds of a command. The default leaves room for a machine with much other work.
 */
export function openRedocly(root: URL, timeoutSeconds = 180): RedoclyProcess {
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
    // An idle child does not keep this process alive.
    child.unref();
    child.channel?.unref();
    return child;
  }

  function stop(): void {
    child?.removeAllListeners('exit');
    child?.kill();
    child = undefined;
  }

  async function execute(args: string[]): Promise<Outcome> {
    const process = running();
    const ended = new AbortController();
    process.channel?.ref();
    process.once('exit', (code, signal) =>
      ended.abort(signal ? `was ended by ${signal}` : `exited with code ${code} and no result`),
    );
    const timer = setTimeout(
      () => ended.abort(`took longer than ${timeoutSeconds} seconds`),
      timeoutSeconds * 1000,
    );
    try {
      const response = once(process, 'message', { signal: ended.signal });
      process.send({ args } satisfies Request);
      const [outcome] = (await response) as [Outcome];
      return outcome;
    } catch (error) {
      stop();
      const cause = ended.signal.aborted ? ended.signal.reason : `failed: ${(error as Error).message}`;
      throw new Error(
        `redocly ${args[0]} ${cause}. Try again: it may succeed when the machine is less busy.`,
      );
    } finally {
      clearTimeout(timer);
      process.removeAllListeners('exit');
      process.channel?.unref();
    }
  }

  return {
    run(args) {
      const turn = queue.then(() => execute(args));
      queue = turn.catch(() => {});
      return turn;
    },
    restart() {
      queue = queue.then(stop);
    },
    close: stop,
    [Symbol.dispose]: stop,
  };
}
