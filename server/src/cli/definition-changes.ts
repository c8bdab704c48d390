import { shortened } from '../../json/index.ts';
import type { Difference } from '../domain/json-differences.ts';
import type { DefinitionChange, StateChange } from '../manifest/definition-changes.ts';
import { printable } from './print.ts';

/** Lines for each definition; the rest is counted. */
const maxLines = 30;
/** Characters of a value or a pointer. */
const maxLength = 60;
/** Characters of a long value before the first difference. */
const contextLength = 15;

/** Prints the differences of each definition: a line for each state that is added or removed, and each value. */
export function printDefinitionChanges(changes: DefinitionChange[]): void {
  for (const { workspace, name, from, to, states, differences } of changes) {
    const isNew = from === null;
    const revisions = isNew
      ? `new, revision ${to}`
      : from === to
        ? `revision ${to}`
        : `revision ${from} → ${to}`;
    const lines = [...states.flatMap(linesOf), ...differences.map((each) => `  ~ ${lineOf(each)}`)];
    const more = lines.length - maxLines;
    const shown = [
      `${name} (${workspace}): ${revisions}`,
      ...lines.slice(0, maxLines),
      ...(more > 0 ? [`  … ${more} more`] : []),
    ];
    console.log(`${shown.map(printable).join('\n')}\n`);
  }
}

function linesOf({ name, type, change, differences }: StateChange): string[] {
  if (change === 'changed') return differences.map((each) => `  ~ ${name} ${lineOf(each)}`);
  return [`  ${change === 'added' ? '+' : '-'} ${name} (${type})`];
}

function lineOf({ pointer, from, to }: Difference): string {
  const [before, after] = [textOf(from), textOf(to)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  // Of long values, the part that differs.
  const start = same > maxLength / 2 ? same - contextLength : 0;
  return `${short(pointer)}: ${short(before, start)} → ${short(after, start)}`;
}

const textOf = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value));

function short(text: string, start = 0): string {
  const rest = start > 0 ? `…${text.slice(start).toWellFormed()}` : text;
  return shortened(rest, maxLength);
}
