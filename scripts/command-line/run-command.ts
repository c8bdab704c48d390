import { CommandError, explanationOf as firstLineOf } from './command.ts';

export { CommandError, listenError as listenFault } from './command.ts';

/** Runs a tool that still reads its own arguments; tools of command-line/command.ts need none of this. */
export async function runCommand(name: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${name}: ${explanationOf(error)}`);
    process.exitCode = 1;
  }
}

function explanationOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  // Node adds how to pass a positional argument that begins with a dash.
  if (error instanceof Error && code?.startsWith('ERR_PARSE_ARGS'))
    return `${error.message.split('. ', 1)}; see --help.`.replace('.;', ';');
  return firstLineOf(error);
}

/** A number of a port from the command line or the environment. @throws {CommandError} */
export function portOf(text: string, option: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError(`"${text}" is not a port; set ${option} to a number from 0 to 65535.`);
}
