/** Kills the platform at random moments under load and checks that nothing was lost. */
import { command, InvalidArgumentError, run } from '../command-line/command.ts';
import { type CrashReport, crashCycles } from './cycles.ts';

const shownProblems = 50;

const cli = command('crash', 'node scripts/crash/main.ts')
  .description(`Starts executions, kills the platform with SIGKILL while they run, and restarts it, again and again. At the end it
checks that every acknowledged execution exists, ended once, and has one result. Exit code 1: a check failed.`)
  .argument('[cycles]', 'how often the platform is killed; each cycle takes about five seconds', countOf, 50)
  .option('--json', 'print the report as JSON')
  .action(async (cycles, { json }) => {
    const report = await crashCycles({ cycles, progress: (line) => console.error(line) });
    console.log(json ? JSON.stringify(report, null, 2) : reportText(report));
    if (report.problems.length > 0) process.exitCode = 1;
  });

await run(cli);

function countOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

function reportText({ cycles, acknowledged, retried, interrupted, recoverySeconds, problems }: CrashReport) {
  const verdict =
    problems.length === 0
      ? 'No execution was lost, stuck, run twice or given two results.'
      : `${problems.length} problems:`;
  return [
    `killed ${cycles} times with SIGKILL under load`,
    `${acknowledged} executions started, ${retried} starts retried`,
    `${interrupted} executions were running after the last restart; the last of them ended after ${recoverySeconds.toFixed(1)} s`,
    ...[verdict, ...problems.slice(0, shownProblems).map((problem) => `- ${problem}`)],
  ].join('\n');
}
