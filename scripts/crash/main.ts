/** Kills the platform at random moments under load and tells whether anything was lost. */
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from '../command-line/run-command.ts';
import { type CrashReport, crashCycles } from './cycles.ts';

const usage = `Usage: node scripts/crash/main.ts [cycles] [--json]

Starts executions, kills the platform with SIGKILL while they run, starts it again, and so on; in the end it looks
whether every execution that was answered is there, ended once, with one result. The exit code is 1 where a promise
was not kept.

  cycles    how often it is killed (50); each takes about five seconds
  --json    the report as JSON on standard output
  --help    this text`;

const shownProblems = 50;

await runCommand('crash', async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const report = await crashCycles({ cycles: cyclesOf(positionals), say: (line) => console.error(line) });
  console.log(values.json ? JSON.stringify(report, null, 2) : asText(report));
  return report.problems.length === 0 ? 0 : 1;
});

function cyclesOf([text = '50', ...more]: string[]): number {
  if (/^[1-9]\d{0,5}$/.test(text) && more.length === 0) return Number(text);
  throw new CommandError(`cycles is one whole number from 1 on, not "${[text, ...more].join(' ')}".`);
}

function asText({ cycles, acknowledged, repeated, interrupted, recoverySeconds, problems }: CrashReport) {
  const verdict =
    problems.length === 0
      ? 'Nothing was lost, stuck, done twice or given differently.'
      : `${problems.length} promises were not kept:`;
  return [
    `${cycles} times killed with SIGKILL under load`,
    `${acknowledged} executions were started, ${repeated} starts had to be repeated`,
    `${interrupted} ran when the platform came back the last time; the last of them ended after ${recoverySeconds.toFixed(1)} s`,
    ...[verdict, ...problems.slice(0, shownProblems).map((problem) => `- ${problem}`)],
  ].join('\n');
}
