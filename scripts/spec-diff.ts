/**
 * What differs between two versions of the contract, for people: per operation, event and schema.
 *
 *   npm run spec:diff [-- [from] [to]]
 */
import { parseArgs } from 'node:util';
import { breaksBetween } from './breaking.ts';
import { runCommand } from './command.ts';
import { withRedocly } from './redocly/redocly.ts';
import { changelogEntry } from './spec-diff/changelog.ts';
import { changesBetween } from './spec-diff/changes.ts';
import { lastReleased, sourceNamed, workingTree } from './spec-diff/sources.ts';
import { diffText } from './spec-diff/text.ts';

const root = new URL('../', import.meta.url);
const usage = `Usage: npm run spec:diff [-- [from] [to] [--markdown | --json]]

Tells what was added, changed, deprecated and removed, and what of it breaks clients.

  from        default: the last release
  to          default: spec/ as it stands
              Either may be a released version (3.0.0), a bundled document (old.json), or a revision of Git
              (HEAD~3), whose generated/openapi.json counts.
  --markdown  as an entry of a changelog
  --json      as JSON: {from, to, changes: [{kind, subject, name, route?, text}], breaks: [{rule, where, message}]}
`;

await runCommand('spec:diff', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (positionals.length > 2) throw new Error(`"${positionals[2]}" is one too many; see --help.`);
  const [fromName, toName] = positionals;
  const output = await withRedocly(root, async (redocly) => {
    const from = fromName ? await sourceNamed(fromName, root) : await lastReleased();
    const to = toName ? await sourceNamed(toName, root) : await workingTree(root, redocly);
    const breaks = await breaksBetween(from.contract, to.contract, redocly);
    if (values.markdown) return changelogEntry(from.contract, to.contract, breaks);
    const changes = changesBetween(from.contract, to.contract);
    if (!values.json) return diffText(from.name, to.name, changes, breaks);
    return `${JSON.stringify({ from: from.name, to: to.name, changes, breaks }, null, 2)}\n`;
  });
  process.stdout.write(output);
  return 0;
});
