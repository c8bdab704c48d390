/**
 * Runs Redocly's commands one after another in this process, so that modules are loaded and compiled once. The CLI is a
 * program, not a library: it reads `process.argv` when its entry module is evaluated, and exits in `beforeExit`. So the
 * entry is imported again for each command, under a new query, while its chunks stay loaded, and its exit is
 * intercepted as the end of the command.
 */
import { pathToFileURL } from 'node:url';

export type Request = { args: string[] };
export type Outcome = { code: number; stdout: string; stderr: string };

const [entry = ''] = process.argv.slice(2);
const cli = pathToFileURL(entry).href;
const real = {
  exit: process.exit,
  once: process.once,
  stdout: process.stdout.write,
  stderr: process.stderr.write,
};
let runs = 0;

process.on('message', async ({ args }: Request) => {
  const outcome = await run(args).catch((error): Outcome => {
    restore();
    return { code: 2, stdout: '', stderr: String(error) };
  });
  process.send?.(outcome);
});
process.on('disconnect', () => real.exit(0));

function run(args: string[]): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' };
  process.argv = [process.execPath, entry, ...args];
  return new Promise((resolve, reject) => {
    process.exit = ((code?: number) => {
      restore();
      resolve({ code: Number(code ?? process.exitCode ?? 0), ...printed });
    }) as typeof process.exit;
    process.once = function once(this: typeof process, name: string, listener: () => void) {
      if (name !== 'beforeExit') return real.once.call(this, name as 'exit', listener);
      listener();
      return this;
    } as typeof process.once;
    for (const stream of ['stdout', 'stderr'] as const) {
      process[stream].write = ((chunk: unknown, ...rest: unknown[]) => {
        printed[stream] += String(chunk);
        const written = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
        written?.();
        return true;
      }) as typeof process.stdout.write;
    }
    import(`${cli}?run=${runs++}`).catch(reject);
  });
}

function restore(): void {
  process.exit = real.exit;
  process.once = real.once;
  process.stdout.write = real.stdout;
  process.stderr.write = real.stderr;
}
