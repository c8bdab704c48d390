/**
 * The contract's one way into the code: lint → bundle → `generated/`.
 *
 *   npm run generate             writes generated/ where it is stale
 *   npm run generate -- --check  changes nothing; exit code 1 where generated/ is stale
 */
import { posix } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../command-line/run-command.ts';
import { bundleContract, formatFinding, lintContract } from '../contract/source.ts';
import { sourceDigest } from '../prepare/source-digest.mjs';
import { withRedocly } from '../redocly/redocly.ts';
import { generatedFiles, staleFiles, writeGenerated } from './files.ts';

const root = new URL('../../', import.meta.url);

const usage = `Usage: npm run generate [-- --check]

Lints and bundles spec/, then writes generated/.

  --check   write nothing; exit with 1 when generated/ does not match spec/
`;

await runCommand('generate', async () => {
  const { values: options } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (!options.help) return generate(options.check);
  process.stdout.write(usage);
  return 0;
});

async function generate(check: boolean): Promise<number> {
  const { findings, contract } = await withRedocly(root, async (redocly) => {
    const findings = await lintContract(root, redocly);
    return { findings, contract: findings.length === 0 ? await bundleContract(root, redocly) : undefined };
  });
  for (const finding of findings) console.error(formatFinding(finding));
  if (!contract) {
    console.error(`\n${findings.length} to mend; generated/ is as it was.`);
    return 1;
  }
  const files = await generatedFiles(contract, sourceDigest());
  const stale = (check ? await staleFiles(root, files) : await writeGenerated(root, files)).map((name) =>
    posix.join('generated', name),
  );
  if (check && stale.length > 0) {
    console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit what it writes.`);
    return 1;
  }
  console.log(stale.length === 0 ? 'generated/ is up to date.' : `Wrote ${stale.join(', ')}.`);
  return 0;
}
