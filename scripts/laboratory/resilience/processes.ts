/** Ends processes and the database of an installation of several processes, and checks that nothing was lost. */
import { disturb } from './processes/disturbances.ts';
import { openInstallation } from './processes/installation.ts';
import { runResilienceTests } from './results.ts';

await runResilienceTests({
  name: 'processes',
  description: `Runs two processes of \`wrp serve\` and two of \`wrp work\` on one database, and ends them one by one under load:
with SIGKILL, with SIGTERM, with a restart of the database, and by stopping a worker for a while. Every server must be
ready again within 10 seconds, and at the end every acknowledged execution and upload must exist once. With --standby, the
last thing that ends is the primary: the processes connect to an address that is moved to the standby, which is then
promoted. With --previous, all processes are of an older version at first, and are replaced one by one. Variables of an
S3 store, such as S3_BUCKET, are passed on.`,
  options: {
    cycles: { description: 'how often a process or the database is ended', full: 42, quick: 7 },
    stops: { description: 'how often a worker is stopped and continued', full: 2, quick: 1, minimum: 0 },
    pause: { description: 'how many seconds a worker is stopped', full: 40 },
    database: { description: 'the URL of an empty database to use instead of an embedded one', full: '' },
    previous: {
      description: 'a directory with the project in an older version, with its packages',
      full: '',
    },
    restart: { description: 'the shell command that restarts the PostgreSQL of --database', full: '' },
    standby: { description: 'the URL of the same database on a synchronous standby', full: '' },
    failover: { description: 'the shell command that ends the primary and promotes the standby', full: '' },
  },
  test: async ({ cycles, stops, pause, ...options }, { progress, signal }) => {
    await using installation = await openInstallation(options);
    return await disturb(installation, { cycles, stops, stopSeconds: pause, progress, signal });
  },
});
