/** Checks everything that can be judged without running the platform, as many at once as there are processors. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { CommandError, command, run } from '../command-line/command.ts';
import { coloured } from '../command-line/terminal.ts';

/** Each runs with node_modules/.bin on the PATH. The slowest come first, so that no processor waits at the end. */
const checks: [name: string, command: string][] = [
  ['types', typesOf('test')],
  ['types', typesOf('scripts')],
  ['types', typesOf('server')],
  ['types', typesOf('client')],
  ['generated', 'node scripts/generate/main.ts --check'],
  ['breaking', 'node scripts/spec/breaking/main.ts'],
  ['style', 'biome check'],
  ['generated', 'node scripts/generate/samples/main.ts --check'],
  ['generated', 'node scripts/generate/tables/main.ts --check'],
  ['gaps', 'node scripts/check/gaps.ts'],
  ['lock', 'node scripts/check/lockfile.ts'],
  ['releases', 'node scripts/check/releases.ts'],
];

/** Compiles only what has changed since the last time. */
function typesOf(project: string): string {
  return `node node_modules/typescript-7/bin/tsc -p ${project} --incremental --tsBuildInfoFile node_modules/.cache/types/${project}.json`;
}

const names = [...new Set(checks.map(([name]) => name))];

const cli = command('check')
  .description(`Runs these checks, or those that are named:

  types      server, client, scripts and tests compile
  generated  generated/ matches the contract and the samples
  breaking   no change breaks a client of the last release
  style      format and lint
  gaps       every operation has its handler, tests and samples
  lock       package-lock.json is complete for every supported system
  releases   every release has a date and a summary`)
  .argument('[check...]')
  .action(async (chosen) => {
    const unknown = chosen.find((name) => !names.includes(name));
    if (unknown) throw new CommandError(`unknown check "${unknown}"; choose from ${names.join(', ')}.`);
    const waiting = checks.filter(([name]) => chosen.length === 0 || chosen.includes(name));
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (!(await passes(next[1]))) process.exitCode = 1;
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  });

/** The errors of the compiler that were printed: projects share files. */
const printed = new Set<string>();

await run(cli);

/** Runs a check and prints its verdict; its output, in one piece, only if it fails. */
async function passes(check: string): Promise<boolean> {
  const startedAt = performance.now();
  const [program = '', ...args] = check.split(' ');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new CommandError(`${program} is missing: run npm install.`)));
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = code === 0 ? coloured('green', '✓') : coloured('red', '✗');
  process.stdout.write(`${verdict} ${check} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(withoutRepeats(Buffer.concat(output).toString()));
  return code === 0;
}

/** Leaves out errors of the compiler that another project has reported. Indented lines belong to the error above. */
function withoutRepeats(output: string): string {
  const entries = output.split(/^(?=\S)/m);
  const fresh = entries.filter((entry) => !/\): error TS\d+: /.test(entry) || !printed.has(entry));
  for (const entry of entries) printed.add(entry);
  return fresh.length > 0 ? fresh.join('') : 'The errors are those above.\n';
}
