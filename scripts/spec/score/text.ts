import { coloured } from '../../command-line/terminal.ts';
import type { Loss, Score } from './losses.ts';

const mostShown = 3;

/** The score for a terminal. @param isWhole show every operation that loses points, not only the most expensive */
export function scoreText({ score, operations, losses }: Score, isWhole: boolean): string {
  const [lowest] = operations;
  const blocks = [
    `${coloured('bold', `${score.toFixed(1)} of 100`)} over ${operations.length} operations`,
    ...losses.map((loss) => lossText(loss, isWhole)),
    losses.length === 0 ? 'Nothing costs points.' : '',
    lowest ? `Lowest: ${lowest.operationId} (${lowest.route}) with ${lowest.score.toFixed(1)}` : '',
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

function lossText({ title, points, advice, operations }: Loss, isWhole: boolean): string {
  const shown = isWhole ? operations : operations.slice(0, mostShown);
  const rest = operations.length - shown.length;
  return [
    `${coloured('yellow', `−${points.toFixed(1)}`)}  ${coloured('bold', title)}`,
    ...shown.map(
      ({ operationId, points: lost, because }) => `      −${lost.toFixed(1)} ${operationId}: ${because}`,
    ),
    ...(rest > 0 ? [`      and ${rest} more`] : []),
    coloured('dim', `      → ${advice}`),
  ].join('\n');
}
