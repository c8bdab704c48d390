/**
 * Everything that can be judged without running the platform: is `generated/` what the contract gives, does
 * anything break a client of the last release, types, style. As many at once as there are processors.
 *
 *   npm run check
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line/run-command.ts';
import { coloured } from '../command-line/terminal.ts';

const usage = `Usage: npm run check [-- <check>…]

Runs these checks, or those that are named:

  types      server, client, tests and scripts compile
  generated  generated/ matches the contract, the samples and the migrations
  breaking   nothing breaks a client of the last release
  style      format and lint
  lock       package-lock.json is complete for every supported system

Exit codes: 0 all is well · 1 a check found something, told on standard output
`;

/** Each is a command of this project's node_modules; those that take longest come first, to fill every processor. */
const checks: [name: string, command: string][] = [
  ['types', 'node node_modules/typescript-7/bin/tsc -p test'],
  ['types', 'node node_modules/typescript-7/bin/tsc -p scripts'],
  ['types', 'node node_modules/typescript-7/bin/tsc -p server'],
  ['types', 'node node_modules/typescript-7/bin/tsc -p client'],
  ['generated', 'node scripts/generate/main.ts --check'],
  ['breaking', 'node scripts/spec/breaking/main.ts'],
  ['style', 'biome check'],
  ['generated', 'node scripts/generate/samples/main.ts --check'],
  ['generated', 'node scripts/generate/tables/main.ts --check'],
  ['lock', 'node scripts/check/lockfile.ts'],
];

const names = [...new Set(checks.map(([name]) => name))];

await runCommand('check', async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown) throw new CommandError(`there is no check "${unknown}"; choose from ${names.join(', ')}.`);
  const waiting = checks.filter(([name]) => positionals.length === 0 || positionals.includes(name));
  let failures = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!(await passes(next[1]))) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return failures === 0 ? 0 : 1;
});

/** Runs a command and tells what came of it, its output in one piece. */
async function passes(command: string): Promise<boolean> {
  const startedAt = performance.now();
  const [program = '', ...given] = command.split(' ');
  const child = spawn(program, given, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () => reject(new CommandError(`${program} is missing: run npm install.`)));
    child.once('close', resolve);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = code === 0 ? coloured('green', '✓') : coloured('red', '✗');
  process.stdout.write(`${verdict} ${command} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  return code === 0;
}
