import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { timestampOf } from '../../json/index.ts';
import { dataPlaces, type EnvironmentName, environmentNames } from '../config.ts';

/** The options of every command. */
export interface GlobalOptions {
  dataDir: string;
  databaseUrl: string | undefined;
  json?: true;
  /** The words of the command: `token create`. */
  command: string;
}

/** The options of a command that works on one environment. */
export type EnvironmentOptions = GlobalOptions & { environment: EnvironmentName };

const projectDirectory = join(import.meta.dirname, '../../..');

/** Resolves a path against the directory the user is in. npm changes it when it runs a script. */
export function fromWorkingDirectory(path: string): string {
  const { INIT_CWD } = process.env;
  const byNpm = INIT_CWD && process.cwd() === resolve(projectDirectory);
  return resolve(byNpm ? INIT_CWD : '.', path);
}

export function addGlobalOptions(program: Command): Command {
  const { dataDirectory, databaseUrl } = dataPlaces(process.env);
  return program
    .addOption(
      new Option('--data-dir <directory>', "the platform's data directory")
        .argParser(fromWorkingDirectory)
        .default(dataDirectory, 'DATA_DIR, or .data of the project'),
    )
    .addOption(
      new Option(
        '--database-url <url>',
        'connect to this PostgreSQL instead of the embedded one (default: DATABASE_URL)',
      )
        .argParser((text) => text || undefined)
        .default(databaseUrl, 'set'),
    )
    .option('--json', 'print JSON');
}

/** Adds a command to a group. The first word of the example is its name. */
export type AddCommand = (example: string, description: string, environment?: Option | null) => Command;

/** Adds a group of commands to the program, each on one environment: with `null`, a command has no such option. */
export function commandGroup(program: Command, name: string, description: string): AddCommand {
  const examples: string[] = [];
  const group = program
    .command(name)
    .description(description)
    .addHelpText('after', () => ['\nExamples:', ...examples].join('\n'));
  const anyEnvironment = () => environmentOption('the environment').default('production');
  return (example, commandDescription, environment = anyEnvironment()) => {
    const line = `  $ wrp ${name} ${example}`;
    examples.push(line);
    const command = group
      .command(example.split(' ', 1).join())
      .description(commandDescription)
      .addHelpText('after', `\nExample:\n${line}`);
    return environment ? command.addOption(environment) : command;
  };
}

/** Turns a function into a commander action. It receives the arguments, then all options, global ones included. */
export function action<Parameters extends unknown[]>(run: (...parameters: Parameters) => Promise<void>) {
  return (...parameters: unknown[]) => {
    const command = parameters.at(-1) as Command;
    return run(...([...parameters.slice(0, -2), optionsOf(command)] as Parameters));
  };
}

/** All options of a command, global ones included, and its words. */
export function optionsOf<Options extends GlobalOptions>(command: Command): Options {
  const words: string[] = [];
  for (let each: Command | null = command; each?.parent; each = each.parent) words.unshift(each.name());
  return { ...command.optsWithGlobals(), command: words.join(' ') };
}

/** Parses the value of `--limit`. */
export function parseLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 1 to 99999.');
}

/** Parses a time: a date, a date and time, or a duration before now, such as 90s, 15m, 24h or 7d. */
export function parseTime(text: string): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return new Date(Date.now() - Number(count) * unitMilliseconds[unit as 's']);
  const time = timestampOf(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (time) return time;
  throw new InvalidArgumentError(
    'It must be a date (2026-11-27), a time (2026-11-27T08:00:00Z) or a duration (90s, 15m, 24h, 7d).',
  );
}

const unitMilliseconds = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function environmentOption(description: string): Option {
  return new Option('-e, --environment <name>', description).choices(environmentNames);
}
