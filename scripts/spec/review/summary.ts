import type { ReportedFinding } from '../../contract/lint/finding.ts';
import { formatPlace, type Place } from '../../contract/locator.ts';
import { refused } from '../breaking/acceptances.ts';
import type { PlacedBreak } from '../breaking/placed.ts';
import { changeSections } from '../diff/changelog.ts';
import type { OperationScore } from '../score/score.ts';
import { type Comparison, isAcceptable, type Review, refusedBreaks } from './review.ts';

/** A job summary may have 1 MiB, and nobody reads a hundred findings. */
const mostShown = 50;
const morePlaces = 4;

/** The review as Markdown, for a terminal, a job summary or a comment on the pull request. */
export function summaryOf(review: Review): string {
  const { base, findings, comparison } = review;
  const parts = [
    '# Contract review',
    verdictOf(review),
    overview(review),
    ...(findings.length > 0 ? [list('Lint', findings.map(findingItem))] : []),
    ...(comparison ? comparisonParts(comparison, base) : [notCompared]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const notCompared =
  'spec/ cannot be bundled, so it was not compared. Fix what prevents that first: see the findings.';

function verdictOf(review: Review): string {
  const { findings, comparison } = review;
  if (isAcceptable(review)) return '✅ **Nothing prevents a merge.**';
  const breaks = comparison ? refusedBreaks(comparison).length : 0;
  const reasons = [
    ...(findings.length > 0 ? [count(findings.length, 'finding')] : []),
    ...(breaks > 0 ? [`${count(breaks, 'change')} that ${breaks === 1 ? 'breaks' : 'break'} clients`] : []),
  ];
  return `❌ **Fix before merging: ${reasons.join(', ')}.**`;
}

function overview({ base, findings, comparison }: Review): string {
  const rows = [['Lint', findings.length === 0 ? 'no findings' : count(findings.length, 'finding')]];
  if (comparison) {
    const { released, breaks, isNextMajor, changes, score } = comparison;
    const clients = released ? `clients of ${released}` : 'nothing is released yet';
    const accepted = breaks.length - refused(breaks).length;
    const allowed =
      isNextMajor && breaks.length > 0
        ? '; allowed in a new major version'
        : accepted > 0
          ? `; ${accepted} accepted`
          : '';
    rows.push(
      ['Breaking changes', `${breaks.length === 0 ? 'none' : breaks.length} (${clients}${allowed})`],
      ['Changes', `${changes.length === 0 ? 'none' : changes.length} since ${base}`],
      ['Score', scoreText(score)],
    );
  }
  return ['| Check | Result |', '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function scoreText({ base, head }: Comparison['score']): string {
  const difference = head.score - base.score;
  const since = Math.abs(difference) < 0.05 ? 'unchanged' : signed(difference);
  return `${head.score.toFixed(1)} of 100 (${since})`;
}

function signed(number: number): string {
  return `${number > 0 ? '+' : '−'}${Math.abs(number).toFixed(1)}`;
}

function comparisonParts({ breaks, changes, score }: Comparison, base: string): string[] {
  const changed = changeSections(changes, score.head.operations.length);
  const scored = scoreItems(score);
  return [
    ...(breaks.length > 0 ? [list('Breaking changes', breaks.map(breakItem))] : []),
    ...(changed.length > 0 ? [`## Changes since ${base}`, ...changed] : []),
    ...(scored.length > 0 ? [list('Score', scored)] : []),
  ];
}

/** The operations whose score changed, or that are new, with the criteria by which they did. */
function scoreItems({ base, head }: Comparison['score']): string[] {
  const before = new Map(base.operations.map((operation) => [operation.operationId, operation]));
  return head.operations.flatMap((operation) => {
    const { operationId, route, score } = operation;
    const old = before.get(operationId);
    if (old !== undefined && Math.abs(score - old.score) < 0.05) return [];
    const difference = old === undefined ? 'new' : signed(score - old.score);
    return [
      `\`${operationId}\` (\`${route}\`): ${score.toFixed(1)} (${difference})${reasons(operation, old)}`,
    ];
  });
}

/** `: parameter simplicity 80 → 90 %`; of a new operation, what is below 100 %. */
function reasons({ subscores }: OperationScore, old: OperationScore | undefined): string {
  const texts = Object.entries(subscores).flatMap(([criterion, share]) => {
    const [before, after] = [old?.subscores[criterion] ?? 1, share].map((one) => Math.round(one * 100));
    const words = criterion.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return before === after ? [] : [`${words} ${old ? `${before} → ` : ''}${after} %`];
  });
  return texts.length === 0 ? '' : `: ${texts.join(', ')}`;
}

function findingItem({ rule, message, fix, also = [], ...place }: ReportedFinding): string {
  const more = also.length > morePlaces ? ` and ${also.length - morePlaces} more` : '';
  const places = also.slice(0, morePlaces).map(placeText).join(', ');
  const others = also.length > 0 ? ` Also in ${places}${more}.` : '';
  return `${placeText(place)} ${message.replace(/(?<![.?!])$/, '.')}${fix ? ` ${fix}` : ''} (${rule})${others}`;
}

function breakItem({ where, message, rule, accepted, ...place }: PlacedBreak): string {
  const reason = accepted ? ` **Accepted:** ${accepted}` : '';
  return `${placeText(place)} \`${where}\`: ${message} (${rule})${reason}`;
}

function placeText({ file, line, column }: Place): string {
  return `\`${formatPlace({ file, line, column })}\``;
}

function list(heading: string, items: string[]): string {
  const shown = items.slice(0, mostShown);
  const rest = items.length - shown.length;
  return [
    `## ${heading}\n`,
    ...shown.map((item) => `- ${item}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
