/** Reviews the changes to the contract: lint, breaking changes, changelog and score, for designers and for CI. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { command, Option, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { diffPage } from '../breaking/redocly-diff.ts';
import { isAcceptable, type Review, reviewOf } from './review.ts';
import { sarifOf } from './sarif.ts';
import { summaryOf } from './summary.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:review')
  .description(
    `Reviews spec/ as it is: lint, changes that break clients of the last release, what changed since the base, and
the score.

Exit codes: 0 nothing prevents a merge · 1 findings or breaking changes · 2 it could not be reviewed`,
  )
  .option(
    '--base <version>',
    'what it is compared with: a Git revision (the commit at which it parted from HEAD), a release (3.0.0) or a bundled document (old.json); default: origin/main, main or the last release',
  )
  .addOption(
    new Option('--format <format>', 'what to print; sarif is for code scanning')
      .choices(['markdown', 'json', 'sarif'] as const)
      .default('markdown' as const),
  )
  .option(
    '--output <directory>',
    'also write summary.md, review.json, review.sarif, and changes.html with both values of every change',
  )
  .action(async ({ base, format, output }) => {
    using redocly = openRedocly(root);
    const { review, contracts } = await reviewOf(root, base, redocly);
    const texts = await textsOf(review);
    if (output !== undefined) {
      const page = contracts && {
        'changes.html': await diffPage(contracts.base, contracts.head, redocly),
      };
      await writeFiles(output, {
        'summary.md': texts.markdown,
        'review.json': texts.json,
        'review.sarif': texts.sarif,
        ...page,
      });
    }
    process.stdout.write(texts[format]);
    isReviewed = true;
    if (!isAcceptable(review)) process.exitCode = 1;
  });

let isReviewed = false;
await run(cli);
// Help is no error.
if (!isReviewed && process.exitCode !== 0) process.exitCode = 2;

type Texts = Record<'markdown' | 'json' | 'sarif', string>;

async function textsOf(review: Review): Promise<Texts> {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return { markdown: summaryOf(review), json: json(review), sarif: json(sarifOf(review, version)) };
}

async function writeFiles(output: string, files: Record<string, string>): Promise<void> {
  // npm runs scripts in the root; the path is relative to where the user is.
  const directory = resolve(process.env['INIT_CWD'] ?? '', output);
  await mkdir(directory, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(directory, name), text)));
}
