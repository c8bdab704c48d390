import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, command } from '../command-line/command.ts';
import { coloured } from '../command-line/terminal.ts';

/** A section of a tool: `<name>.ts` beside the tool's `main.ts`. */
export interface ListedSection {
  name: string;
  /** Lines of the tool's `--help`. */
  about: readonly string[];
}

export interface SectionOutput {
  name: string;
  exitCode: number;
  /** What it printed with `--json`; undefined if it failed before, with an error that it has printed. */
  results: unknown;
}

/**
 * The command line of a tool with sections: it runs all, or those that are named, one after another, each in a process of
 * its own. Exit code 1: one of them failed.
 *
 * @param folder where the sections are
 * @param summary what is printed at the end in place of each section's own text
 */
export function sectionsCommand({
  tool,
  description,
  folder,
  sections,
  summary,
}: {
  tool: string;
  description: string;
  folder: URL;
  sections: readonly ListedSection[];
  summary?: (outputs: readonly SectionOutput[]) => string;
}) {
  return command(tool)
    .usage('[section...] [options]')
    .description(`${description}

${sections.map(({ name, about }) => `  ${name.padEnd(12)} ${about.join(`\n${''.padEnd(15)}`)}`).join('\n')}

With one section, its own options can be added; \`npm run ${tool} -- <section> --help\` prints them.`)
    .argument('[section...]')
    .option('--quick', 'a short run of each, with rough results')
    .option('--json', 'print the results as one JSON object, by section')
    .helpOption(false)
    .option('-h, --help', 'print this, or the help of the section that is named')
    .allowUnknownOption()
    .action(async (args, { quick, json, help }, program) => {
      const firstOption = args.findIndex((arg) => arg.startsWith('-'));
      const names = firstOption < 0 ? args : args.slice(0, firstOption);
      const options = firstOption < 0 ? [] : args.slice(firstOption);
      if (help && names.length === 0) return program.outputHelp();
      const chosen = names.length === 0 ? sections.map(({ name }) => name) : names.map(sectionNamed);
      if (help) options.push('--help');
      if (options.length > 0 && chosen.length !== 1)
        throw new CommandError(`${options[0]} is an option of one section: name the section first.`);
      if (quick) options.push('--quick');
      const isCollected = json || (summary !== undefined && !help);
      if (isCollected) options.push('--json');
      let aborted = false;
      const abort = () => {
        aborted = true;
      };
      process.on('SIGINT', abort).on('SIGTERM', abort);
      const outputs: SectionOutput[] = [];
      for (const name of chosen) {
        if (aborted) break;
        if (chosen.length > 1 && !isCollected) console.log(`\n${coloured('bold', `── ${name} ──`)}`);
        outputs.push(await outputOf(new URL(`${name}.ts`, folder), options, isCollected));
      }
      const results = outputs.filter((output) => output.results !== undefined);
      if (json)
        console.log(JSON.stringify(Object.fromEntries(results.map((o) => [o.name, o.results])), null, 2));
      else if (isCollected) console.log(summary?.(outputs));
      if (aborted || outputs.some(({ exitCode }) => exitCode !== 0)) process.exitCode = 1;
    });

  function sectionNamed(name: string): string {
    const names = sections.map((section) => section.name);
    if (names.includes(name)) return name;
    throw new CommandError(`there is no section "${name}"; choose from ${names.join(', ')}.`);
  }
}

/** Runs a section. @param isCollected whether its standard output is read as JSON */
async function outputOf(
  module: URL,
  options: readonly string[],
  isCollected: boolean,
): Promise<SectionOutput> {
  const path = fileURLToPath(module);
  const stdout = isCollected ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, [path, ...options], { stdio: ['inherit', stdout, 'inherit'] });
  // A terminal sends Ctrl-C to both processes; any other signal reaches this one alone.
  const forward = () => void child.kill('SIGTERM');
  process.on('SIGTERM', forward);
  try {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject).once('close', (code) => resolve(code ?? 1));
    });
    const results = output === '' ? undefined : (JSON.parse(output) as unknown);
    return { name: basename(path, '.ts'), exitCode, results };
  } finally {
    process.off('SIGTERM', forward);
  }
}
