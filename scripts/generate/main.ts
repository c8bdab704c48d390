/** Generates code from the contract: lint → bundle → `generated/`. */
import { CommandError, command, run } from '../command-line/command.ts';
import { openRedocly } from '../contract/redocly/redocly.ts';
import { bundleContract, formatFinding, lintContract } from '../contract/source.ts';
import { sourceDigest } from '../prepare/source-digest.mjs';
import { generatedFiles, updateGenerated } from './files.ts';

const root = new URL('../../', import.meta.url);

const cli = command('generate')
  .description('Lints and bundles spec/, then writes generated/.')
  .option('--check', 'write nothing; exit with code 1 if generated/ does not match spec/')
  .action(async ({ check = false }) => {
    using redocly = openRedocly(root);
    const findings = await lintContract(root, redocly);
    for (const finding of findings) console.error(formatFinding(finding));
    if (findings.length > 0) {
      throw new CommandError(
        `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in spec/; generated/ is unchanged.`,
      );
    }
    const contract = await bundleContract(redocly);
    await updateGenerated(root, await generatedFiles(contract, sourceDigest()), check);
  });

await run(cli);
