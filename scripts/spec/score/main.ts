/** Scores how easy the API is to use. */
import { CommandError, command, InvalidArgumentError, run } from '../../command-line/command.ts';
import { openRedocly } from '../../contract/redocly/redocly.ts';
import { workingTree } from '../diff/sources.ts';
import { redoclyScore, scoreOf } from './score.ts';

const root = new URL('../../../', import.meta.url);

const cli = command('spec:score')
  .description(
    "Scores spec/ with Redocly's score: the points by criterion, and the operations that lose most.",
  )
  .option('--all', 'also print the figures of every operation')
  .option('--min <points>', 'exit with code 1 if the score is lower', pointsOf, 0)
  .option('--json', 'print {score, operations: [{operationId, route, score, subscores}]}, the lowest first')
  .action(async ({ all, json, min }) => {
    using redocly = openRedocly(root);
    const { contract } = await workingTree(redocly);
    const score = await scoreOf(contract, redocly);
    const options = all ? ['--operation-details'] : [];
    const text = json ? JSON.stringify(score, null, 2) : await redoclyScore(contract, redocly, options);
    console.log(text.trim());
    if (score.score < min) throw new CommandError(`the score is ${score.score}, below ${min}.`);
  });

await run(cli);

function pointsOf(text: string): number {
  const points = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && points <= 100) return points;
  throw new InvalidArgumentError('Points are a number from 0 to 100.');
}
