/** Compares the contract with the last release: within a major version, no change may break a client. */
import { CommandError, command, run } from '../../command-line/command.ts';
import type { Redocly } from '../../contract/redocly/redocly.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { bundleContract, type Contract, formatFinding, lintContract } from '../../contract/source.ts';
import { acceptedFile, refused } from './acceptances.ts';
import { isNextMajor } from './breaks.ts';
import { breaksSince } from './placed.ts';
import { compareVersions, lastRelease } from './releases.ts';
import { breaksText } from './text.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:breaking')
  .description(
    `Compares spec/ as it is with the highest version in spec/releases/. Findings of the lint do not prevent it.
A change that is in ${acceptedFile}, with a reason, is accepted.
Exit code 1: a change breaks clients and is not accepted, or the comparison failed.`,
  )
  .option('--json', 'print {released, breaks: [{rule, where, message, accepted?, file, line, column}]}')
  .action(async (options) => {
    using redocly = openRedocly(root);
    const current = await currentContract(redocly);
    const last = await lastRelease();
    const version = String(current.info['version']);
    if (last && compareVersions(version, last.version) < 0)
      throw new CommandError(`info.version is ${version}, but ${last.version} is released already.`);
    const isCompared = last && !isNextMajor(last.version, current);
    const breaks = isCompared ? await breaksSince(last.contract, current, { root, redocly }) : [];
    if (options.json) console.log(JSON.stringify({ released: last?.version ?? null, breaks }, null, 2));
    else console.log(breaksText(breaks, last, current));
    if (refused(breaks).length > 0) process.exitCode = 1;
  });

await run(cli);

/** @throws {CommandError} with what prevents it, if spec/ cannot be bundled */
async function currentContract(redocly: Redocly): Promise<Contract> {
  try {
    return await bundleContract(redocly);
  } catch (error) {
    const [finding] = await lintContract(root, redocly);
    throw new CommandError(finding ? `fix spec/ first: ${formatFinding(finding)}` : (error as Error).message);
  }
}
