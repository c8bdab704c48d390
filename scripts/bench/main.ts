/** Measures the platform's speed and cost relative to comparable software. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError, command, run } from '../command-line/command.ts';
import { coloured } from '../command-line/terminal.ts';

/** Each is a command in a file of the same name. */
const sections = [
  {
    name: 'requests',
    compares: 'what a request costs, to bare node:http, bare Express 5, the stock validator and Fastify',
    target:
      '1.0 of bare Express (page of 20: 0.9, invalid body: 0.65), 0.75 of Fastify; p99 no worse than Express',
  },
  {
    name: 'files',
    compares: 'uploads and downloads to a bare pipe, with buffers of 64 KiB and of 1 MiB',
    target: '0.9 of the bare pipe, up and down',
  },
  {
    name: 'executions',
    compares:
      'steps of executions to jobs of the queue alone; starts with 100,000 stored executions to starts with none',
    target: 'none for steps; starts equally fast with many and with none (1.0)',
  },
  {
    name: 'webhooks',
    compares: 'signed and recorded deliveries to bare fetch',
    target: 'none; bare fetch is 1.0',
  },
  {
    name: 'client-size',
    compares: "the client's bundle for a browser to its limit",
    target: 'at most 10 kB gzipped for everything',
  },
  {
    name: 'design-loop',
    compares: 'how long after a save each result appears',
    target: 'findings, mock and missing handlers within 2 s, types and portal within 5 s',
  },
];

const cli = command('bench')
  .usage('[section...] [options]')
  .description(`Runs these sections, or those that are named, one after another, each in a process of its own:

${sections.map(({ name, compares, target }) => `  ${name.padEnd(12)} ${compares}\n${''.padEnd(15)}target: ${target}`).join('\n')}

With one section, its own options can be added; \`node scripts/bench/<section>.ts --help\` prints them.`)
  .argument('[section...]')
  .option('--quick', 'a short run of each, with rough results')
  .option('--json', 'print the results as one JSON object, by section')
  .allowUnknownOption()
  .action(async (args, { quick, json }) => {
    const firstOption = args.findIndex((arg) => arg.startsWith('-'));
    const names = firstOption < 0 ? args : args.slice(0, firstOption);
    const options = firstOption < 0 ? [] : args.slice(firstOption);
    const chosen = names.length === 0 ? sections.map(({ name }) => name) : names.map(sectionNamed);
    if (options.length > 0 && chosen.length !== 1)
      throw new CommandError(`${options[0]} is an option of one section: name the section first.`);
    if (quick) options.push('--quick');
    if (json) options.push('--json');
    let aborted = false;
    const abort = () => {
      aborted = true;
    };
    process.on('SIGINT', abort).on('SIGTERM', abort);
    const results: Record<string, unknown> = {};
    for (const name of chosen) {
      if (aborted) break;
      if (chosen.length > 1 && !json) console.log(`\n${coloured('bold', `── ${name} ──`)}`);
      const output = await outputOf(name, options);
      if (output === undefined) process.exitCode = 1;
      else if (json) results[name] = JSON.parse(output);
    }
    if (json) console.log(JSON.stringify(results, null, 2));
    if (aborted) process.exitCode = 1;
  });

await run(cli);

function sectionNamed(name: string): string {
  const names = sections.map((section) => section.name);
  if (names.includes(name)) return name;
  throw new CommandError(`there is no section "${name}"; choose from ${names.join(', ')}.`);
}

/** Runs a section. @returns what it printed with `--json`, undefined if it failed; it prints its own error */
async function outputOf(name: string, options: string[]): Promise<string | undefined> {
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const stdout = options.includes('--json') ? 'pipe' : 'inherit';
  const child = spawn(process.execPath, [path, ...options], { stdio: ['inherit', stdout, 'inherit'] });
  // A terminal sends Ctrl-C to both processes; any other signal reaches this one alone.
  const forward = () => void child.kill('SIGTERM');
  process.on('SIGTERM', forward);
  try {
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject).once('close', (exit) => resolve(exit ?? 1));
    });
    return code === 0 ? output : undefined;
  } finally {
    process.off('SIGTERM', forward);
  }
}
