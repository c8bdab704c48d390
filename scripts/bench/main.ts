/** What the platform costs and how fast it is, as ratios: one command of several sections. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommandError, runCommand } from '../command-line/run-command.ts';
import { coloured } from '../command-line/terminal.ts';
import { type ListedSection, sections } from './sections.ts';

const usage = `Usage: npm run bench [-- [section…] [options]]

Runs the sections named, or all of them, one after another, each in a process of its own.

${sections.map(({ name, compares, target }) => `  ${name.padEnd(12)} ${compares}\n${''.padEnd(15)}target: ${target}`).join('\n')}

  --quick      a short run of each, for a first impression
  --json       the results of all as one JSON object, by section, on standard output
  --help       this text; with one section named, that section's own options, which can be given here as well`;

interface Asked {
  chosen: ListedSection[];
  options: string[];
  json: boolean;
  quick: boolean;
}

/** @returns undefined where only help was wanted */
function asked(args: readonly string[]): Asked | undefined {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const names = firstOption < 0 ? args : args.slice(0, firstOption);
  const given = firstOption < 0 ? [] : args.slice(firstOption);
  const chosen = names.length === 0 ? sections : names.map(sectionOf);
  const own = ['--json', '--quick', '--help', '-h'];
  const options = given.filter((arg) => !own.includes(arg));
  if (given.includes('--help') || given.includes('-h')) {
    if (names.length !== 1) return undefined;
    return { chosen, options: ['--help'], json: false, quick: false };
  }
  if (options.length > 0 && names.length !== 1)
    throw new CommandError(`"${options[0]}" is an option of one section: name that first; see --help.`);
  return { chosen, options, json: given.includes('--json'), quick: given.includes('--quick') };
}

function sectionOf(name: string): ListedSection {
  const found = sections.find((section) => section.name === name);
  if (found) return found;
  const names = sections.map((section) => section.name).join(', ');
  throw new CommandError(`there is no section "${name}"; there are ${names}.`);
}

/** @returns what it wrote, where that is kept; undefined where it failed */
async function run(
  { name, hasQuick }: ListedSection,
  { chosen, options, json, quick }: Asked,
): Promise<string | undefined> {
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  if (!existsSync(path)) return failed(name, 'is missing');
  const args = [...options, ...(json ? ['--json'] : []), ...(quick && hasQuick ? ['--quick'] : [])];
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['inherit', json ? 'pipe' : 'inherit', 'inherit'],
  });
  // A terminal tells both of Ctrl-C; anybody else only this process.
  const forward = () => void child.kill('SIGTERM');
  process.on('SIGTERM', forward);
  try {
    let written = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk;
    });
    const code = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject).once('close', (exit, signal) => resolve(exit ?? signal ?? 1));
    });
    if (code === 0) return written;
    // A section says itself what is wrong; which one it was is known where there is one only.
    return chosen.length === 1 ? undefined : failed(name, `failed (${code})`);
  } finally {
    process.off('SIGTERM', forward);
  }
}

function failed(name: string, how: string): undefined {
  console.error(`bench: the section ${name} ${how}.`);
}

function parsed(name: string, written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return failed(name, 'gave no JSON');
  }
}

await runCommand('bench', async () => {
  const wanted = asked(process.argv.slice(2));
  if (!wanted) {
    console.log(usage);
    return 0;
  }
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const results: Record<string, unknown> = {};
  let faults = 0;
  for (const section of wanted.chosen) {
    if (stopped) break;
    const { name } = section;
    if (wanted.chosen.length > 1 && !wanted.json) console.log(`\n${coloured('bold', `── ${name} ──`)}`);
    const written = await run(section, wanted);
    const result = wanted.json && written !== undefined ? parsed(name, written) : written;
    if (result === undefined) faults += 1;
    else results[name] = result;
  }
  if (wanted.json) console.log(JSON.stringify(results, null, 2));
  return faults > 0 || stopped ? 1 : 0;
});
