import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line/run-command.ts';

/** An option of a section, with its value in a full run and in a quick one. */
export interface SectionOption<Value extends number | string> {
  what: string;
  full: Value;
  quick?: Value;
  /** The smallest number allowed; 1 unless told. */
  least?: number;
}

type Options = Record<string, SectionOption<number> | SectionOption<string>>;
type Values<Given extends Options> = {
  [Name in keyof Given]: Given[Name] extends SectionOption<number> ? number : string;
};

export interface Running {
  /** Says how far it is, on standard error. */
  progress(line: string): void;
  /** Aborted when the person at the desk has seen enough. */
  signal: AbortSignal;
}

export interface Section<Given extends Options, Results> {
  name: string;
  /** What is compared with what, and how. */
  about: string;
  options: Given;
  /** @throws {CommandError} for what a person can mend */
  measure(values: Values<Given>, running: Running): Promise<Results>;
  asText(results: Results): string;
}

/** Runs a section of the benchmark as a command: options in, text or JSON out. */
export async function runSection<Given extends Options, Results>(
  section: Section<Given, Results>,
  args: readonly string[] = process.argv.slice(2),
): Promise<void> {
  await runCommand(`bench ${section.name}`, async () => {
    const given = parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(
          Object.keys(section.options).map((name) => [name, { type: 'string' as const }]),
        ),
      },
    }).values as Record<string, string | boolean | undefined>;
    if (given['help']) {
      console.log(usageOf(section));
      return 0;
    }
    const stopped = new AbortController();
    const stop = () => stopped.abort(new CommandError('stopped before the end.'));
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
    const running = { progress: progressLine(section.name), signal: stopped.signal };
    const results = await section.measure(valuesOf(section.options, given), running);
    console.log(given['json'] ? JSON.stringify(results, null, 2) : section.asText(results));
    return 0;
  });
}

function usageOf({
  name,
  about,
  options,
}: Pick<Section<Options, never>, 'name' | 'about' | 'options'>): string {
  const lines = Object.entries(options).map(([option, { what, full, quick }]) => {
    const standing = full === '' ? '' : ` (${full}${quick === undefined ? '' : `; quick: ${quick}`})`;
    return `  --${`${option} ${typeof full === 'number' ? '<n>' : '<text>'}`.padEnd(20)} ${what}${standing}`;
  });
  return [
    `Usage: npm run bench -- ${name} [options]`,
    ...['', about, ''],
    ...lines,
    `  --${'quick'.padEnd(20)} a short run, for a first impression`,
    `  --${'json'.padEnd(20)} the results as JSON on standard output`,
  ].join('\n');
}

function valuesOf<Given extends Options>(
  options: Given,
  given: Record<string, string | boolean | undefined>,
): Values<Given> {
  const entries = Object.entries(options).map(([name, { full, quick = full, least = 1 }]) => {
    const text = given[name];
    const standing = given['quick'] ? quick : full;
    if (typeof text !== 'string') return [name, standing];
    return [name, typeof standing === 'string' ? text : numberOf(text, `--${name}`, least)];
  });
  return Object.fromEntries(entries) as Values<Given>;
}

function numberOf(text: string, option: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  throw new CommandError(`${option} takes a whole number from ${least} on, not "${text}".`);
}

function progressLine(name: string): (line: string) => void {
  return (line) => process.stderr.write(`${name}: ${line}\n`);
}
