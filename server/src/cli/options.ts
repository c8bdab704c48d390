import { join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { environmentNames } from '../config.ts';

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

/** The same places in which the server looks, so that both mean the same platform. */
export function addGlobalOptions(program: Command): Command {
  const { DATA_DIR, DATABASE_URL, INIT_CWD } = process.env;
  const dataDirectory = DATA_DIR ? resolve(INIT_CWD ?? '.', DATA_DIR) : resolve(projectDirectory, '.data');
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
        .default(DATABASE_URL || undefined, 'set'),
    )
    .option('--json', 'print JSON');
}

export function environmentOption(description: string): Option {
  return new Option('-e, --environment <name>', description).choices(environmentNames);
}
