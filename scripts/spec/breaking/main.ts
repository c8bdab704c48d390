/** Compares the contract with the last release: within a major version, no change may break a client. */
import { readFile } from 'node:fs/promises';
import { CommandError, command, run } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';
import { breaksBetween, isNextMajor } from './breaks.ts';
import { lastRelease, release } from './releases.ts';

const cli = command('spec:breaking')
  .description(
    `Compares generated/openapi.json with the highest version in spec/releases/.
Exit code 1: a change breaks clients, or the comparison failed.`,
  )
  .option('--json', 'print {released, breaks: [{rule, where, message}]}')
  .option('--release', 'if nothing breaks, save the contract as spec/releases/<info.version>.json')
  .action(async (options) => {
    const current = await readContract();
    const last = await lastRelease();
    const breaks =
      last && !isNextMajor(last.version, current) ? await breaksBetween(last.contract, current) : [];
    if (options.json) console.log(JSON.stringify({ released: last?.version ?? null, breaks }, null, 2));
    else console.log(breaksText(breaks, last?.version));
    if (breaks.length > 0) process.exitCode = 1;
    else if (options.release) console.error(`Released as ${await release(current)}.`);
  });

await run(cli);

async function readContract(): Promise<Contract> {
  const file = new URL('../../../generated/openapi.json', import.meta.url);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError('generated/openapi.json is missing; run `npm run generate`.');
  });
  return JSON.parse(text);
}

function breaksText(breaks: Break[], released: string | undefined): string {
  if (!released) return 'spec/releases/ has no released contract to compare with.';
  if (breaks.length === 0) return `Nothing breaks a client of ${released}.`;
  return [
    ...breaks.map(({ rule, where, message }) => `${where}\n  ${message} (${rule})`),
    `\n${breaks.length} ${breaks.length === 1 ? 'change breaks' : 'changes break'} clients of ${released}.`,
  ].join('\n');
}
