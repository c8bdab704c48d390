import { startOf } from '../../json/index.ts';
import type { DefinitionChange, Difference, StateChange } from '../manifest/definition-changes.ts';
import { printable } from './print.ts';

/** Lines for each definition; the rest is counted. */
const maxLines = 30;
/** Characters of a value or a pointer. */
const maxLength = 60;

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

const lineOf = ({ pointer, from, to }: Difference) => `${short(pointer)}: ${textOf(from)} → ${textOf(to)}`;

const textOf = (value: unknown) => (value === undefined ? 'none' : short(JSON.stringify(value)));

const short = (text: string) => (text.length > maxLength ? `${startOf(text, maxLength - 1)}…` : text);
