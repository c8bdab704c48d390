/**
 * The contract's one way into the code: lint → bundle → `generated/`.
 *
 *   npm run generate             writes generated/ where it is stale
 *   npm run generate -- --check  changes nothing; exit code 1 where generated/ is stale
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { bundleContract, formatFinding, lintContract } from './contract-source.ts';
import { operationsModule } from './generate-operations.ts';
import { typesModule } from './generate-types.ts';
import { sourceDigest } from './source-digest.mjs';

const root = new URL('../', import.meta.url);

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (options.help) {
  console.log(
    'Usage: npm run generate [-- --check]\n\nLints and bundles spec/, then writes generated/.\n\n' +
      '  --check   write nothing; exit with 1 when generated/ does not match spec/',
  );
} else {
  process.exitCode = await generate(options.check);
}

async function generate(check: boolean): Promise<number> {
  const findings = await lintContract(root);
  for (const finding of findings) console.error(formatFinding(finding));
  if (findings.length > 0) {
    console.error(`\n${findings.length} to mend; generated/ is as it was.`);
    return 1;
  }
  const contract = await bundleContract(root);
  const files = {
    'openapi.json': `${JSON.stringify(contract, null, 2)}\n`,
    'types.ts': await typesModule(contract),
    'operations.ts': operationsModule(contract),
    'source.sha256': `${sourceDigest()}\n`,
  };
  const stale = [];
  for (const [name, text] of Object.entries(files)) {
    const file = new URL(`generated/${name}`, root);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    stale.push(`generated/${name}`);
    if (!check) await replace(file, text);
  }
  if (check && stale.length > 0) {
    console.error(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit what it writes.`);
    return 1;
  }
  console.log(stale.length === 0 ? 'generated/ is up to date.' : `Wrote ${stale.join(', ')}.`);
  return 0;
}

/** Readers never see half a file: a watcher may be looking at the old one right now. */
async function replace(file: URL, text: string): Promise<void> {
  const temporary = new URL(`${file.href}.${process.pid}`);
  await writeFile(temporary, text);
  await rename(temporary, file);
}
