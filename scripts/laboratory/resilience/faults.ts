/** Lets about thirty kinds of faults happen to an installation of several processes, and checks that nothing was lost. */
import { CommandError } from '../../command-line/command.ts';
import { openInstallation } from './faults/installation.ts';
import { runFaults } from './faults/run.ts';
import { faults, upgrade } from './faults/table.ts';
import { runResilienceTests } from './results.ts';

await runResilienceTests({
  name: 'faults',
  description: `Runs two processes of \`wrp serve\` and two of \`wrp work\` behind a proxy, on a PostgreSQL with a synchronous standby, and
lets one fault after another happen under load. For each it prints how many requests succeeded, were refused (503 with
Retry-After) and broke, and when every server was ready again. It fails if callers notice more than they may, if a server
is not ready 10 seconds after a fault, or if at the end an acknowledged execution or upload is lost or exists twice. It
needs nothing besides the project: the databases are of the embedded PostgreSQL, and processes are upgraded from the
latest release that has other tables, if the clone has its history. With --s3, files are in versitygw, which
node_modules/.cache/versitygw must contain.

Faults:
${faults.map(({ name }) => `  ${name}`).join('\n')}`,
  options: {
    only: { description: 'only faults whose name contains this text', full: '' },
    seconds: { description: 'how long lasts what lasts', full: 10, quick: 3 },
    s3: { description: 'store files in S3', full: false },
    postgres: {
      description: "the directory of another PostgreSQL's programs, such as /usr/lib/postgresql/15/bin",
      full: '',
    },
  },
  test: async ({ only, seconds, s3, postgres }, running) => {
    const chosen = faults.filter(({ name }) => name.includes(only));
    if (chosen.length === 0) throw new CommandError(`no fault is named "${only}"; see --help.`);
    await using installation = await openInstallation({
      withS3: s3,
      postgres,
      isOutdated: chosen.includes(upgrade),
    });
    return await runFaults(installation, chosen, { seconds, ...running });
  },
});
