import { CommandError, command, InvalidArgumentError, Option, run } from '../command-line/command.ts';

/** An option of a section, with its value in a full run and in a quick one. */
export interface SectionOption<Value extends number | string> {
  what: string;
  full: Value;
  /** Default: the same as `full`. */
  quick?: Value;
  /** The smallest number allowed. Default: 1. */
  least?: number;
}

type Options = Record<string, SectionOption<number> | SectionOption<string>>;
type Values<Declared extends Options> = {
  [Name in keyof Declared]: Declared[Name] extends SectionOption<number> ? number : string;
};

export interface Running {
  /** Prints progress on standard error. */
  progress(line: string): void;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}

export interface Section<Declared extends Options, Results> {
  name: string;
  /** What is compared with what, and how. */
  about: string;
  options: Declared;
  /** @throws {CommandError} for an error that the user can fix */
  measure(values: Values<Declared>, running: Running): Promise<Results>;
  asText(results: Results): string;
}

/** Runs a section of the benchmark as a command: options in, text or JSON out. */
export async function runSection<Declared extends Options, Results>({
  name,
  about,
  options,
  measure,
  asText,
}: Section<Declared, Results>): Promise<void> {
  const cli = command(`bench ${name}`, `npm run bench -- ${name}`)
    .description(about)
    .option('--quick', 'a short run, for a first impression')
    .option('--json', 'print the results as JSON');
  for (const [option, declared] of Object.entries(options)) cli.addOption(cliOption(option, declared));
  cli.action(async ({ quick: isQuick, json, ...given }) => {
    const values = Object.entries(options).map(([option, { full, quick = full }]) => [
      option,
      (given as Record<string, unknown>)[option] ?? (isQuick ? quick : full),
    ]);
    const aborted = new AbortController();
    const abort = () => aborted.abort(new CommandError('aborted.'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
    const results = await measure(Object.fromEntries(values), {
      progress: (line) => console.error(`${name}: ${line}`),
      signal: aborted.signal,
    });
    console.log(json ? JSON.stringify(results, null, 2) : asText(results));
  });
  await run(cli);
}

/** Its default depends on `--quick`, so commander does not know it. */
function cliOption(name: string, { what, full, quick, least = 1 }: Options[string]): Option {
  const standing = full === '' ? '' : ` (default: ${full}${quick === undefined ? '' : `, quick: ${quick}`})`;
  if (typeof full === 'string') return new Option(`--${name} <text>`, `${what}${standing}`);
  return new Option(`--${name} <n>`, `${what}${standing}`).argParser((text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`It is a whole number from ${least}.`);
  });
}
