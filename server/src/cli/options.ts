import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { dataPlaces, environmentNames } from '../config.ts';

/** What every command takes. */
export interface GlobalOptions {
  dataDir: string;
  databaseUrl: string | undefined;
  json?: true;
}

const projectDirectory = join(import.meta.dirname, '../../..');

/** A path on the command line is meant from where the person stands, which npm hides when it runs a script. */
export function fromWhereCalled(path: string): string {
  const { INIT_CWD } = process.env;
  const byNpm = INIT_CWD && process.cwd() === resolve(projectDirectory);
  return resolve(byNpm ? INIT_CWD : '.', path);
}

export function addGlobalOptions(program: Command): Command {
  const { dataDirectory, databaseUrl } = dataPlaces(process.env);
  return program
    .addOption(
      new Option('--data-dir <directory>', "the platform's data directory")
        .argParser(fromWhereCalled)
        .default(dataDirectory, 'DATA_DIR, or .data of the project'),
    )
    .addOption(
      new Option(
        '--database-url <url>',
        'a PostgreSQL of your own instead of the embedded one (default: DATABASE_URL)',
      )
        .argParser((text) => text || undefined)
        .default(databaseUrl, 'set'),
    )
    .option('--json', 'print JSON');
}

/** How many to list at most. */
export function countOf(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 99999.');
}

export function environmentOption(description: string): Option {
  return new Option('-e, --environment <name>', description).choices(environmentNames);
}
