import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
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

/**
 * Refuses `--json` where it has no effect. It is an option of the program, so commander's `conflicts` does not see it.
 *
 * @param names the options with which it has none; default: it never has
 */
export function refuseJson(command: Command, ...names: string[]): Command {
  const others = names.map((name) => {
    const option = command.options.find(({ long }) => long === name);
    if (!option) throw new Error(`${command.name()} has no option ${name}.`);
    return option;
  });
  return command.hook('preAction', () => {
    const isGiven = (other: Option) => command.getOptionValue(other.attributeName()) !== undefined;
    const other = others.find(isGiven);
    if (!command.optsWithGlobals()['json'] || (names.length > 0 && !other)) return;
    const user = other ? `option '${other.flags}'` : `'${command.name()}'`;
    command.error(`error: option '--json' cannot be used with ${user}`);
  });
}

/** An option that has no effect with some others. @param attributes the names of their values, such as `dryRun` */
export const exclusiveOption = (flags: string, description: string, ...attributes: string[]): Option =>
  new Option(flags, description).conflicts(attributes);

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

/** Parses a short text, such as a reason. */
export function parseText(text: string): string {
  const trimmed = text.normalize('NFC').trim();
  if (trimmed !== '' && trimmed.length <= 200) return trimmed;
  throw new InvalidArgumentError('It must have 1 to 200 characters.');
}

export function environmentOption(description: string): Option {
  return new Option('-e, --environment <name>', description).choices(environmentNames);
}
