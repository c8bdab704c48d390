/** Compares the contract with the last release: within a major version, no change may break a client. */
import { readFile } from 'node:fs/promises';
import { CommandError, command, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from './break.ts';
import { breaksBetween, isNextMajor, verdictOn } from './breaks.ts';
import { compareVersions, lastRelease } from './releases.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:breaking')
  .description(
    `Compares generated/openapi.json with the highest version in spec/releases/.
Exit code 1: a change breaks clients, or the comparison failed.`,
  )
  .option('--json', 'print {released, breaks: [{rule, where, message}]}')
  .action(async (options) => {
    const current = await readContract();
    const last = await lastRelease();
    const version = String(current.info['version']);
    if (last && compareVersions(version, last.version) < 0)
      throw new CommandError(`info.version is ${version}, but ${last.version} is released already.`);
    using redocly = openRedocly(root);
    const isCompared = last && !isNextMajor(last.version, current);
    const breaks = isCompared ? await breaksBetween(last.contract, current, redocly) : [];
    if (options.json) console.log(JSON.stringify({ released: last?.version ?? null, breaks }, null, 2));
    else console.log(breaksText(breaks, last?.version));
    if (breaks.length > 0) process.exitCode = 1;
  });

await run(cli);

async function readContract(): Promise<Contract> {
  const file = new URL('generated/openapi.json', root);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError('generated/openapi.json is missing; run `npm run generate`.');
  });
  return JSON.parse(text);
}

function breaksText(breaks: Break[], released: string | undefined): string {
  if (!released) return 'spec/releases/ has no released contract to compare with.';
  const lines = breaks.map(({ rule, where, message }) => `${where}\n  ${message} (${rule})\n`);
  return [...lines, verdictOn(breaks, released)].join('\n');
}
