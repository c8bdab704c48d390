/** Whether each release has a date and a summary by hand: the changelog shows both. */
import { command, run } from '../command-line/command.ts';
import { releaseDates, releases, releaseVersions } from '../spec/breaking/releases.ts';
import { notesOf, summaryOf, withoutSummary } from '../spec/release/notes.ts';

/** One line for each release that the changelog cannot show; none if it can. */
export async function releaseErrors(directory = releases): Promise<string[]> {
  const dates = await releaseDates(directory);
  const errors = (await releaseVersions(directory)).map(async (version) => [
    ...(version in dates ? [] : [`spec/releases/dates.json has no date of ${version}.`]),
    ...(summaryOf(await notesOf(version, directory)) ? [] : [withoutSummary(`spec/releases/${version}.md`)]),
  ]);
  return (await Promise.all(errors)).flat();
}

const cli = command('releases', 'node scripts/check/releases.ts')
  .description('Checks that each release in spec/releases/ has a date and a summary.')
  .action(async () => {
    const errors = await releaseErrors();
    for (const error of errors) console.log(error);
    if (errors.length > 0) process.exitCode = 1;
  });

if (import.meta.main) await run(cli);
