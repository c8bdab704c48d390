import type { Scope } from './definition.ts';
import { type Outline, type OutlinedState, outlineOf } from './outline.ts';

/** Characters of a label; longer labels are truncated. */
const labelLength = 60;

/**
 * Draws a definition as a Mermaid flowchart: a node for each state, a box for each Parallel and Map with its states, an
 * edge for each transition. Transitions of Catch are dotted.
 */
export function drawDefinition(definition: Scope): string {
  return ['flowchart TD', ...drawScope(outlineOf(definition), 's', '  ')].join('\n');
}

/** Identifiers are positions, because names may contain characters that Mermaid reserves. */
function drawScope({ startAt, states }: Outline, id: string, indent: string): string[] {
  const idOf = (name: string) => `${id}_${states.findIndex((state) => state.name === name)}`;
  const lines = [`${id}_start(( )) --> ${idOf(startAt)}`];
  for (const state of states) lines.push(...drawState(state, idOf(state.name)));
  for (const { name, transitions } of states) {
    for (const { to, label, caught } of transitions) {
      const arrow = caught ? '-.->' : '-->';
      const labelled = label === undefined ? arrow : `${arrow}|"${labelOf(label)}"|`;
      lines.push(`${idOf(name)} ${labelled} ${to === undefined ? `${id}_end` : idOf(to)}`);
    }
  }
  const ends = states.some(({ transitions }) => transitions.some(({ to }) => to === undefined));
  if (ends) lines.push(`${id}_end((( )))`);
  return lines.map((line) => indent + line);
}

function drawState({ name, type, detail, scopes }: OutlinedState, id: string): string[] {
  const title = labelOf(name);
  switch (type) {
    case 'Choice':
      return [`${id}{"${title}"}`];
    case 'Succeed':
      return [`${id}(["${title}"])`];
    case 'Fail':
      return [`${id}(["${title}<br/>${labelOf(`Fail ${detail}`.trimEnd())}"])`];
    case 'Wait':
      return [`${id}[/"${title}<br/>${labelOf(detail)}"/]`];
    case 'Task':
      return [`${id}["${title}<br/>${labelOf(detail)}"]`];
    case 'Pass':
      return [`${id}["${title}"]`];
    case 'Map':
      return box(
        id,
        `${title}<br/>for each item`,
        scopes.flatMap((scope) => drawScope(scope, `${id}_item`, '  ')),
      );
    case 'Parallel': {
      const branches = scopes.flatMap((branch, index) => {
        const inner = `${id}_${index}`;
        return box(`${inner}_branch`, `Branch ${index + 1}`, drawScope(branch, inner, '  '));
      });
      return box(
        id,
        `${title}<br/>at once`,
        branches.map((line) => `  ${line}`),
      );
    }
  }
}

function box(id: string, title: string, lines: string[]): string[] {
  return [`subgraph ${id}["${title}"]`, ...lines, 'end'];
}

const codeOf = (character: string) => `#${character.codePointAt(0)};`;

/**
 * Escapes text for a quoted Mermaid label. Markdown is escaped too, because Mermaid shows an error for lists, rules,
 * headings and URLs.
 */
function labelOf(text: string): string {
  const short = text.length > labelLength ? `${text.slice(0, labelLength - 1)}…` : text;
  return short
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N} .,:;…/()=+_-]/gu, codeOf)
    .replace(/(?<=^ ?)[=+_-]|(?<=^ ?\d+)[.)](?= |$)|(?<=:)\/(?=\/)|(?<=\bwww)\./gi, codeOf);
}
