import { coloured } from '../../command-line/terminal.ts';
import type { Break } from '../breaking/break.ts';
import { verdictOn } from '../breaking/breaks.ts';
import { lines } from './changelog.ts';
import { byKind, type Differences, type Kind } from './changes.ts';

const colours: Record<Kind, 'green' | 'yellow' | 'magenta' | 'red' | 'dim'> = {
  added: 'green',
  changed: 'yellow',
  deprecated: 'magenta',
  removed: 'red',
  documentation: 'dim',
};

/** The changes for a terminal, with those that break clients first. */
export function diffText(from: string, to: string, { changes, breaks }: Differences): string {
  const blocks = [
    ...(breaks.length > 0 ? [block('breaking', 'red', breaks.map(breakLine))] : []),
    ...byKind(changes).map(([kind, some]) => block(kind, colours[kind], lines(kind, some).map(plain))),
  ];
  if (blocks.length === 0) return `Nothing differs between ${from} and ${to}.\n`;
  return [`From ${from} to ${to}`, ...blocks, verdictOn(breaks, from), ''].join('\n\n').replace(/\n+$/, '\n');
}

function block(
  title: string,
  colour: 'green' | 'yellow' | 'magenta' | 'red' | 'dim',
  items: string[],
): string {
  return [coloured([colour, 'bold'], title), ...items.map((item) => `  ${item}`)].join('\n');
}

function breakLine({ rule, where, message, accepted }: Break): string {
  return `${where}: ${plain(message)} (${rule})${accepted ? `; accepted: ${accepted}` : ''}`;
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
