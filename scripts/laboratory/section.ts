import { CommandError, command, InvalidArgumentError, Option, run } from '../command-line/command.ts';

/** An option of a section, with its defaults. */
export interface SectionOption<Value extends number | string | boolean> {
  description: string;
  full: Value;
  /** With `--quick`. Default: the same as `full`. */
  quick?: Value;
  /** The smallest number allowed. Default: 1. */
  minimum?: number;
}

export type Options = Record<string, SectionOption<number> | SectionOption<string> | SectionOption<boolean>>;
export type Values<Declared extends Options> = {
  [Name in keyof Declared]: Declared[Name] extends SectionOption<number>
    ? number
    : Declared[Name] extends SectionOption<boolean>
      ? boolean
      : string;
};

export interface Running {
  /** Prints progress on standard error. */
  progress(line: string): void;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface Section<Declared extends Options, Results> {
  /** The tool that it is a section of. */
  tool: string;
  name: string;
  /** The text of `--help`. */
  description: string;
  options: Declared;
  /** @throws {CommandError} for an error that the user can fix */
  run(values: Values<Declared>, running: Running): Promise<Results>;
  asText(results: Results): string;
}

/** Runs a section of a tool as a command that prints text or JSON. */
export async function runSection<Declared extends Options, Results>({
  tool,
  name,
  description,
  options,
  run: runValues,
  asText,
}: Section<Declared, Results>): Promise<void> {
  const cli = command(`${tool} ${name}`, `npm run ${tool} -- ${name}`)
    .description(description)
    .option('--quick', 'a short run with rough results')
    .option('--json', 'print the results as JSON');
  for (const [option, declared] of Object.entries(options)) cli.addOption(cliOption(option, declared));
  cli.action(async ({ quick: isQuick, json, ...parsed }) => {
    const values = Object.entries(options).map(([option, { full, quick = full }]) => [
      option,
      (parsed as Record<string, unknown>)[option] ?? (isQuick ? quick : full),
    ]);
    const aborted = new AbortController();
    const abort = () => aborted.abort(new CommandError('aborted.'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
    const results = await runValues(Object.fromEntries(values), {
      progress: (line) => console.error(`${name}: ${line}`),
      signal: aborted.signal,
    });
    console.log(json ? JSON.stringify(results, null, 2) : asText(results));
  });
  await run(cli);
}

/** Without commander's own default, which cannot depend on `--quick`. */
function cliOption(name: string, { description, full, quick, minimum = 1 }: Options[string]): Option {
  if (typeof full === 'boolean') return new Option(`--${name}`, description);
  const defaults = full === '' ? '' : ` (default: ${full}${quick === undefined ? '' : `, quick: ${quick}`})`;
  if (typeof full === 'string') return new Option(`--${name} <text>`, `${description}${defaults}`);
  return new Option(`--${name} <n>`, `${description}${defaults}`).argParser((text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= minimum) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number of at least ${minimum}.`);
  });
}
