import type { Scope, State } from './definition.ts';
import { isExpression, sourceOf } from './expressions.ts';

/** Characters of a label; longer labels are truncated. */
const labelLength = 60;

/**
 * Draws a definition as a Mermaid flowchart: a node for each state, a box for each Parallel and Map with its states, an
 * edge for each transition. Transitions of Catch are dotted.
 */
export function drawDefinition(definition: Scope): string {
  return ['flowchart TD', ...drawScope(definition, 's', '  ')].join('\n');
}

/** Identifiers are positions, because names may contain characters that Mermaid reserves. */
function drawScope(scope: Scope, id: string, indent: string): string[] {
  const names = Object.keys(scope.States);
  const idOf = (name: string) => `${id}_${names.indexOf(name)}`;
  const states = Object.entries(scope.States);
  const lines = [`${id}_start(( )) --> ${idOf(scope.StartAt)}`];
  for (const [name, state] of states) lines.push(...drawState(name, state, idOf(name)));
  for (const [name, state] of states) {
    for (const edge of edgesOf(state)) {
      const to = edge.to === undefined ? `${id}_end` : idOf(edge.to);
      const arrow = edge.dotted ? '-.->' : '-->';
      lines.push(
        `${idOf(name)} ${arrow}${edge.label === undefined ? '' : `|"${labelOf(edge.label)}"|`} ${to}`,
      );
    }
  }
  if (states.some(([, state]) => 'End' in state && state.End)) lines.push(`${id}_end((( )))`);
  return lines.map((line) => indent + line);
}

function drawState(name: string, state: State, id: string): string[] {
  const title = labelOf(name);
  switch (state.Type) {
    case 'Choice':
      return [`${id}{"${title}"}`];
    case 'Succeed':
      return [`${id}(["${title}"])`];
    case 'Fail':
      return [`${id}(["${title}<br/>${labelOf(`Fail ${state.Error ?? ''}`.trimEnd())}"])`];
    case 'Wait':
      return [`${id}[/"${title}<br/>${labelOf(waitOf(state.Seconds, state.Timestamp))}"/]`];
    case 'Task':
      return [`${id}["${title}<br/>${labelOf(state.Resource)}"]`];
    case 'Pass':
      return [`${id}["${title}"]`];
    case 'Map':
      return box(id, `${title}<br/>for each item`, drawScope(state.ItemProcessor, `${id}_item`, '  '));
    case 'Parallel': {
      const branches = state.Branches.flatMap((branch, index) => {
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

function waitOf(seconds: number | string | undefined, timestamp: string | undefined): string {
  if (timestamp !== undefined) return `until ${textOf(timestamp)}`;
  return `for ${textOf(String(seconds))} s`;
}

interface Edge {
  /** Undefined: the end. */
  to: string | undefined;
  label?: string;
  dotted?: boolean;
}

function edgesOf(state: State): Edge[] {
  const edges: Edge[] = [];
  if (state.Type === 'Choice') {
    for (const rule of state.Choices) edges.push({ to: rule.Next, label: textOf(String(rule.Condition)) });
    if (state.Default !== undefined) edges.push({ to: state.Default, label: 'otherwise' });
  }
  if ('Next' in state || 'End' in state) edges.push({ to: state.Next });
  if ('Catch' in state) {
    for (const { ErrorEquals, Next } of state.Catch ?? []) {
      edges.push({ to: Next, label: ErrorEquals.join(', '), dotted: true });
    }
  }
  return edges;
}

function textOf(value: string): string {
  return isExpression(value) ? sourceOf(value).trim() : value;
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
