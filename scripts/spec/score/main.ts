/** Scores how easy the API is to use. */
import { CommandError, command, InvalidArgumentError, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { bundleContract } from '../../contract/source.ts';
import { scoreOf } from './losses.ts';
import { reportOn } from './measure.ts';
import type { Report } from './report.ts';
import { scoreText } from './text.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:score')
  .description("Scores the contract with Redocly's score and lists what costs points, most expensive first.")
  .option('--all', 'list every operation that loses points, not only the three that lose most')
  .option('--min <points>', 'exit with code 1 if the score is lower', pointsOf, 0)
  .option(
    '--json',
    `print {score, operations: [{operationId, route, score}],
losses: [{criterion, title, points, advice, operations: [{operationId, points, because}]}]}`,
  )
  .action(async ({ all = false, json, min }) => {
    const score = scoreOf(await report());
    process.stdout.write(json ? `${JSON.stringify(score, null, 2)}\n` : scoreText(score, all));
    if (score.score < min) throw new CommandError(`the score is ${score.score}, below ${min}.`);
  });

await run(cli);

async function report(): Promise<Report> {
  try {
    using redocly = openRedocly(root);
    return await reportOn(await bundleContract(redocly), redocly);
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new CommandError(`spec/ cannot be scored (${reason}). \`npm run generate\` shows where.`);
  }
}

function pointsOf(text: string): number {
  const points = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && points <= 100) return points;
  throw new InvalidArgumentError('Points are a number from 0 to 100.');
}
