import { routesOf } from '../../../server/contract/index.ts';
import type { Contract } from '../../contract/source.ts';
import type { Break } from '../breaking/break.ts';
import { byKind, type Change, type Differences, type Kind } from './changes.ts';

/** More are not all named. */
export const maximumNames = 4;

export const headings: Record<Kind, string> = {
  added: 'Added',
  changed: 'Changed',
  deprecated: 'Deprecated',
  removed: 'Removed',
  documentation: 'Documentation',
};

/**
 * A changelog entry in Markdown, headed by its `versionName`, with a `###` for what callers must do and for each kind
 * of change.
 */
export function changelogEntry(from: Contract, to: Contract, found: Differences): string {
  const sections = [toDo(found) ?? [], changeSections(found.changes, routesOf(to).length)].flat();
  const entry = [`## ${versionName(from, to)}`, ...(sections.length > 0 ? sections : ['No changes.'])];
  return `${entry.join('\n\n')}\n`;
}

/** `3.1.0`, or `Since 3.0.0` if both contracts have that version: the changes have none yet. */
export function versionName(from: Contract, to: Contract): string {
  const [last, version] = [from, to].map(({ info }) => String(info['version']));
  return version === last ? `Since ${last}` : String(version);
}

/** A `###` section with what callers must do: what breaks clients first, then what is deprecated. */
export function toDo({ changes, breaks }: Differences): string | undefined {
  const deprecated = changes.filter(({ kind }) => kind === 'deprecated');
  const items = [...breaks.map(breakLine), ...lines('deprecated', deprecated)];
  return items.length > 0 ? section('What to do', items) : undefined;
}

/**
 * A section for each kind of change.
 *
 * @param operations how many operations the contract has
 * @param level of the headings
 */
export function changeSections(changes: Change[], operations?: number, level = '###'): string[] {
  return byKind(changes).map(([kind, some]) => section(headings[kind], lines(kind, some, operations), level));
}

function section(heading: string, items: string[], level = '###'): string {
  return `${level} ${heading}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function breakLine({ where, message, accepted }: Break): string {
  return `\`${where}\`: ${message}${accepted ? ` **Accepted:** ${accepted}` : ''}`;
}

/**
 * One line for each change; the same change to many operations is one line. Of documentation, only the names, and
 * which parts of the contract itself.
 *
 * @param operations how many operations the contract has
 */
export function lines(kind: Kind, changes: Change[], operations?: number): string[] {
  if (kind === 'documentation') {
    const named = [...new Map(changes.map((change) => [nameOf(change), change])).values()];
    const bySubject = [...Map.groupBy(named, ({ subject }) => subject)];
    return bySubject.flatMap(([subject, some]) => {
      if (subject !== 'contract') return some.length > maximumNames ? manyNames(some) : some.map(nameOf);
      const parts = changes.filter((change) => change.subject === subject).map(({ text }) => text);
      return `The contract: ${parts.join(', ')}`;
    });
  }
  // Operations that are new or gone with their resource are listed below it.
  const own = changes.filter(({ resource }) => resource === undefined);
  const groups = Map.groupBy(own, (change) =>
    change.text && !isWhole(change) ? `${change.subject} ${change.text}` : `${change.subject} ${change.name}`,
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [Change, ...Change[]];
    if (first.subject === 'resource') {
      const members = changes.filter(({ resource }) => resource === first.name);
      return [
        `${nameOf(first)}: ${first.text}`,
        ...members.map((one) => `  - ${nameOf(one)}: ${one.text}`),
      ].join('\n');
    }
    const isEverywhere = first.subject === 'operation' && group.length > 1 && group.length === operations;
    const names = group.length > maximumNames ? manyNames(group) : group.map(nameOf).join(', ');
    if (isEverywhere) return `All operations: ${first.text}`;
    return first.text ? `${names}: ${first.text}` : names;
  });
}

/** The first few names, and the number of the others. */
function manyNames(group: Change[]): string {
  const [first] = group;
  const some = group.slice(0, maximumNames - 1).map(({ name }) => `\`${name}\``);
  return `${some.join(', ')} and ${group.length - some.length} more ${first?.subject}s`;
}

/** Whether an operation is itself new or gone; its text is its summary then. */
function isWhole({ kind, subject, text }: Change): boolean {
  return (kind === 'added' || kind === 'removed') && subject === 'operation' && /^[A-Z]/.test(text);
}

function nameOf({ subject, name, route }: Change): string {
  if (subject === 'guide') return `Guide “${name}”`;
  if (subject === 'resource') return `Resource “${name}”`;
  if (subject === 'event' || subject === 'error code' || subject === 'permission')
    return `${subject.replace(/^./, (letter) => letter.toUpperCase())} \`${name}\``;
  if (subject === 'contract') return 'The contract';
  return route ? `\`${name}\` (\`${route}\`)` : `\`${name}\``;
}
