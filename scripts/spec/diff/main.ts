/** Shows the differences between two versions of the contract. */

import { command, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { acceptances } from '../breaking/acceptances.ts';
import { lastRelease } from '../breaking/releases.ts';
import { changelogEntry } from './changelog.ts';
import { differences } from './changes.ts';
import { lastReleased, sourceNamed, workingTree } from './sources.ts';
import { diffText } from './text.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:diff')
  .description(`Shows what was added, changed, deprecated and removed, and which changes break clients.

Either version is a released version (3.0.0), a bundled document (old.json), or a Git revision (HEAD~3), whose
generated/openapi.json is read.`)
  .argument('[from]', 'default: the last release')
  .argument('[to]', 'default: spec/ as it is')
  .option('--markdown', 'print a changelog entry')
  .option(
    '--json',
    'print {from, to, changes: [{kind, subject, name, route?, text}], breaks: [{rule, where, message, accepted?}]}',
  )
  .action(async (fromName, toName, { markdown, json }) => {
    using redocly = openRedocly(root);
    const from = fromName ? await sourceNamed(fromName, root) : await lastReleased();
    const to = toName ? await sourceNamed(toName, root) : await workingTree(redocly);
    const isUnreleased = !toName && from.name === (await lastRelease())?.version;
    const accepted = isUnreleased ? await acceptances(root) : [];
    const found = await differences(from.contract, to.contract, redocly, accepted);
    if (json) console.log(JSON.stringify({ from: from.name, to: to.name, ...found }, null, 2));
    else
      process.stdout.write(
        markdown ? changelogEntry(from.contract, to.contract, found) : diffText(from.name, to.name, found),
      );
  });

await run(cli);
