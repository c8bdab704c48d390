/**
 * The command line of every tool: `--help` is generated from its declarations, and errors are one line.
 *
 *     const cli = command('design')
 *       .description('Watches spec/ …')
 *       .option('--json', 'print one JSON object per line')
 *       .addOption(portOption('--port <port>', 'port of the page', 4000).env('DESIGN_PORT'))
 *       .action(async ({ json, port }) => { … });
 *
 *     await run(cli);
 *
 * An action throws a `CommandError` if it cannot do its work, and sets `process.exitCode` to 1 if it did and found
 * something wrong.
 */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { hostNameIn, originIn } from '../../server/http-server/index.ts';

export { Argument, InvalidArgumentError, Option };

/** An error that the user can fix: `run` prints its message and nothing else. */
export class CommandError extends Error {}

/**
 * @param name what errors begin with
 * @param invocation how the tool is started, if not by an npm script of that name
 */
export function command(name: string, invocation = `npm run ${name} --`): Command {
  return new Command(name)
    .helpOption('-h, --help', 'print this')
    .configureHelp({
      helpWidth: 120,
      commandUsage: (program) =>
        [invocation, ...(program.parent ? [program.name()] : []), program.usage()].join(' '),
    })
    .configureOutput({
      outputError(text, write) {
        const [message = '', ...hints] = text
          .replace(/^error: /, '')
          .trim()
          .split('\n');
        const sentence = [/[.?]$/.test(message) ? message : `${message}.`, ...hints].join(' ');
        write(`${name}: ${sentence} See --help.\n`);
      },
    })
    .exitOverride();
}

/** Runs a command line. An error is one line on standard error and exit code 1. */
export async function run(
  // biome-ignore lint/suspicious/noExplicitAny: whatever arguments and options it has
  program: Command<any, any, any>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  // The reader of a pipe may stop early, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed its own errors, and help is not an error.
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      console.error(`${program.name()}: ${explanationOf(error)}`);
      process.exitCode = 1;
    }
  }
}

/** The first line of an error, without its stack. */
export function explanationOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n', 1).join();
}

/**
 * An option that takes a port. With a default, chain `.env('NAME')` to read it from the environment; an empty value
 * means the default.
 */
export function portOption<Flags extends string>(
  flags: Flags,
  description: string,
): Option<Flags, undefined, undefined, number>;
export function portOption<Flags extends string>(
  flags: Flags,
  description: string,
  port: number,
): Option<Flags, undefined, number, number>;
export function portOption(flags: string, description: string, port?: number) {
  const option = new Option(flags, description);
  return option.argParser((text) => (text === '' && port !== undefined ? port : portOf(text))).default(port);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

/** An option that takes a whole number from 0 to `most`. */
export function numberOption<Flags extends string>(
  flags: Flags,
  description: string,
  most: number,
  initial: number,
): Option<Flags, undefined, number, number> {
  const parse = (text: string) => {
    if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It takes a whole number from 0 to ${most}.`);
  };
  return new Option(flags, description).argParser(parse).default(initial) as never;
}

/** An option that takes an http or https URL. */
export function urlOption<Flags extends string>(flags: Flags, description: string) {
  return new Option(flags, description).argParser((text) => {
    if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
    throw new InvalidArgumentError('It takes an http or https URL.');
  });
}

/** Names in the `Host` header to which a local server responds besides those of this machine. */
export const allowHostOption = () =>
  listOption(
    '--allow-host <name>',
    'respond to this name in Host, besides those of this machine; repeatable',
    hostNameIn,
    'a host name without a port',
  );

/** Origins whose pages may call a local server besides those of this machine. */
export const allowOriginOption = () =>
  listOption(
    '--allow-origin <origin>',
    'let pages of this origin call, besides those of this machine; repeatable',
    originIn,
    'an origin such as https://app.example',
  );

/**
 * An option that may be repeated.
 *
 * @param parse returns undefined for an invalid value
 * @param expected what a value is
 */
export function listOption<Flags extends string>(
  flags: Flags,
  description: string,
  parse: (text: string) => string | undefined,
  expected: string,
): Option<Flags, undefined, string[], string[]> {
  const collect = (text: string, before: string[]) => {
    const parsed = parse(text);
    if (parsed === undefined) throw new InvalidArgumentError(`It takes ${expected}.`);
    return [...before, parsed];
  };
  return new Option(flags, description).argParser(collect).default([], 'none') as never;
}

/** Why a server cannot listen, and which option helps. */
export function listenError(
  error: NodeJS.ErrnoException,
  port: number,
  host: string,
  option: string,
): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with ${option}.`;
  if (error.code === 'EACCES') return `this user may not listen on port ${port}; choose one above 1023.`;
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine.`;
  return error.message;
}
