/** Checks that code, tests and samples have what the contract asks for. */
import { readDocument } from '../../server/contract/index.ts';
import { command, run } from '../command-line/command.ts';
import { gapFinder } from '../contract/gaps.ts';
import { formatPlace, sourceLocator } from '../contract/locator.ts';

const root = new URL('../../', import.meta.url);

const cli = command('gaps', 'node scripts/check/gaps.ts')
  .description(
    'Lists what generated/openapi.json asks for and the project does not have: handlers, tests, lines of the ' +
      'permission matrix and samples. Exits with 1 if something is missing.',
  )
  .action(async () => {
    const contract = await readDocument(new URL('generated/openapi.json', root));
    const gaps = await gapFinder(root)(contract, sourceLocator(root));
    for (const gap of gaps) {
      console.error(`${formatPlace(gap)} ${gap.message}`);
      for (const fix of gap.fixes) console.error(`  → ${fix}`);
    }
    if (gaps.length > 0) process.exitCode = 1;
    else
      console.log('Every operation has its handler, tests, samples and its line of the permission matrix.');
  });

await run(cli);
