/** Releases the contract, and the client with it, under the next version. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Argument, CommandError, command, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { bundleContract, lintContract } from '../../contract/source.ts';
import { acceptances, acceptedFile } from '../breaking/acceptances.ts';
import { lastRelease, release } from '../breaking/releases.ts';
import { differences } from '../diff/changes.ts';
import { setVersion } from './manifests.ts';
import { withoutSummary } from './notes.ts';
import { levels, planRelease } from './plan.ts';

const generate = () => promisify(execFile)('npm', ['run', '--silent', 'generate'], { cwd: root });
const root = new URL('../../../', import.meta.url);

const cli = command('spec:release')
  .description(
    `Releases spec/ under the next version: sets the version of the contract and of every package, regenerates
generated/, stores the contract in spec/releases/, and drafts the hand-written part of its changelog entry there: a
summary, and what integrators must do. The list of changes follows from the contracts.

Changes to texts alone are a patch, additions a minor and breaking changes a major release. Breaking changes that
${acceptedFile} accepts are like additions. A lower level is an error.`,
  )
  .addArgument(new Argument('[level]', 'default: the lowest level that the changes allow').choices(levels))
  .option('--summary <text>', 'what is new, for integrators; default: you write it into the draft')
  .option('--dry-run', 'write nothing; print the changelog entry')
  .option('--json', 'print {version, level, previous, files, notes, entry}')
  .action(async (level, { summary, dryRun, json }) => {
    using redocly = openRedocly(root);
    const findings = await lintContract(root, redocly);
    if (findings.length > 0)
      throw new CommandError(`spec/ has ${findings.length} findings; npm run generate lists them.`);
    const last = await lastRelease();
    if (!last) throw new CommandError('spec/releases/ has no release to compare with.');
    const current = await bundleContract(redocly);
    const found = await differences(last.contract, current, redocly, await acceptances(root));
    const plan = planRelease(last, current, found, level, summary);
    const notes = `spec/releases/${plan.version}.md`;
    const files = dryRun ? [] : await setVersion(root, plan.version);
    if (!dryRun) {
      await generate();
      await release(await bundleContract(redocly));
      await writeFile(new URL(notes, root), plan.notes);
      files.push(`spec/releases/${plan.version}.json`, notes, 'spec/releases/dates.json', 'generated/');
      // Later changes are compared with this release, which has the accepted ones.
      if (existsSync(new URL(acceptedFile, root))) {
        await rm(new URL(acceptedFile, root));
        files.push(acceptedFile);
      }
    }
    if (json) console.log(JSON.stringify({ ...plan, previous: last.version, files }, null, 2));
    else {
      console.log(plan.entry);
      if (dryRun) console.log(`Would release ${plan.version} (${plan.level}); nothing was written.`);
      else console.log(`Released ${plan.version}. Next: npm test, commit, npm run client:pack.`);
    }
    if (!summary && !dryRun) console.error(withoutSummary(notes));
  });

await run(cli);
