/**
 * How easily programs and people can use the API, by Redocly's score, and what costs points.
 *
 *   npm run spec:score
 */
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from './command.ts';
import { scoreOf } from './spec-score/losses.ts';
import { reportOn } from './spec-score/measure.ts';
import type { Report } from './spec-score/report.ts';
import { scoreText } from './spec-score/text.ts';

const root = new URL('../', import.meta.url);
const usage = `Usage: npm run spec:score [-- --all] [-- --json] [-- --min <points>]

Scores the contract with Redocly, and tells what costs points, the dearest first.

  --all   every operation that loses points, rather than the three that lose most
  --min   exit with 1 where the score is below
  --json  as JSON: {score, operations: [{operationId, route, score}],
          losses: [{criterion, title, points, mend, operations: [{operationId, points, because}]}]}
`;

await runCommand('spec:score', async () => {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      min: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const least = leastOf(values.min ?? '0');
  const score = scoreOf(await report());
  process.stdout.write(values.json ? `${JSON.stringify(score, null, 2)}\n` : scoreText(score, values.all));
  if (score.score >= least) return 0;
  throw new CommandError(`the score is ${score.score}, below ${least}.`);
});

async function report(): Promise<Report> {
  try {
    return await reportOn(root);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CommandError(`spec/ cannot be scored (${reason}); \`npm run generate\` says where.`);
  }
}

function leastOf(text: string): number {
  const least = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && least <= 100) return least;
  throw new CommandError(`"${text}" is no number of points; set --min to a number from 0 to 100.`);
}
