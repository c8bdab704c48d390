/** A failure that a person can mend: its message is all that is shown. */
export class CommandError extends Error {}

/**
 * Runs a command of the desk: what it resolves with is the exit code; what it throws is told in one line on standard
 * error, and the exit code is 1.
 */
export async function runCommand(name: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`${name}: ${explanationOf(error)}`);
    process.exitCode = 1;
  }
}

/** One line, never a stack. */
export function explanationOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  // Node adds how to pass a positional argument that begins with a dash, which nobody asked.
  if (code?.startsWith('ERR_PARSE_ARGS'))
    return `${error.message.split('. ', 1)}; see --help.`.replace('.;', ';');
  return error.message.trim().split('\n', 1).join();
}

/** A number of a port from the command line or the environment. @throws {CommandError} */
export function portOf(text: string, option: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new CommandError(`"${text}" is not a port; set ${option} to a number from 0 to 65535.`);
}

/** What to tell of a server that cannot listen. */
export function listenFault(
  error: NodeJS.ErrnoException,
  port: number,
  host: string,
  option: string,
): string {
  if (error.code === 'EADDRINUSE') return `port ${port} on ${host} is in use; choose another with ${option}.`;
  if (error.code === 'EACCES') return `port ${port} may not be used by this user; choose one above 1023.`;
  if (error.code === 'ENOTFOUND' || error.code === 'EADDRNOTAVAIL')
    return `${host} is not an address of this machine.`;
  return error.message;
}
