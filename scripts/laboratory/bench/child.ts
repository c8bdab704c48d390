import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

// biome-ignore lint/suspicious/noExplicitAny: whatever arguments they have
export type Functions = Record<string, (...args: any[]) => unknown>;

/** A child process of the benchmark whose functions are called one at a time. It stops at the end of the block. */
export interface Child<Callable extends Functions> extends AsyncDisposable {
  /** @throws the error that the function threw, or if the process has exited */
  call<Name extends keyof Callable & string>(
    name: Name,
    ...args: Parameters<Callable[Name]>
  ): Promise<Awaited<ReturnType<Callable[Name]>>>;
}

type Request = { name: string; args: unknown[] };
type Response = { value: unknown } | { error: string };

const stopMilliseconds = 20_000;

/**
 * Starts a module as a child process.
 *
 * @param before a command prefix, for instance one that pins it to a processor
 * @param signal kills the process
 */
export async function startChild<Callable extends Functions>(
  module: URL,
  {
    args = [],
    before = [],
    env = {},
    signal,
  }: { args?: string[]; before?: string[]; env?: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Child<Callable>> {
  const name = [fileURLToPath(module).split('/').at(-1), ...args.slice(0, 1)].join(' ');
  const [command, ...rest] = [...before, process.execPath, fileURLToPath(module), ...args];
  const { INIT_CWD: _, ...inherited } = process.env;
  const child = spawn(command as string, rest, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...inherited, ...env },
  });
  const kill = () => void child.kill();
  signal.addEventListener('abort', kill, { once: true });
  await responseOf(child, name, signal);
  return {
    async call(called, ...args) {
      child.send({ name: called, args } satisfies Request);
      return (await responseOf(child, name, signal)) as never;
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
      await gone;
      clearTimeout(timer);
    },
  };
}

async function responseOf(child: ChildProcess, name: string, signal: AbortSignal): Promise<unknown> {
  const ended = new AbortController();
  const waiting = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    const [response] = (await Promise.race([
      once(child, 'message', waiting),
      once(child, 'exit', waiting).then(([code, killedBy]) => {
        throw new Error(`${name} exited with ${code ?? killedBy} without a response.`);
      }),
    ])) as [Response];
    if ('error' in response) throw new Error(`${name}: ${response.error}`);
    return response.value;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    ended.abort();
  }
}

/**
 * The child's side: reports that it is ready, calls its functions, and exits when the parent disconnects.
 *
 * @param close called before the process exits
 */
export function serveFunctions(functions: Functions, close: () => Promise<unknown> = async () => {}): void {
  process.on('message', async ({ name, args }: Request) => {
    try {
      process.send?.({ value: await functions[name]?.(...args) });
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
  const end = () => void close().finally(() => process.exit());
  process.once('disconnect', end);
  process.once('SIGTERM', end);
  // The parent handles Ctrl-C.
  process.on('SIGINT', () => {});
  process.send?.({ value: 'ready' });
}
