import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { reasonOf } from '../../durable-files/index.ts';
import { CommandError } from './command-error.ts';
import { fromWorkingDirectory } from './options.ts';

/** Reads a file that the command line names; `-` is standard input. @throws CommandError if it cannot be read */
export async function readInput(file: string): Promise<string> {
  const reading = file === '-' ? text(process.stdin) : readFile(fromWorkingDirectory(file), 'utf8');
  return reading.catch((error: unknown) => {
    throw new CommandError(`${file}: cannot be read: ${reasonOf(error)}.`);
  });
}
