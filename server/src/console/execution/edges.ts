import type { Outline, OutlinedState, Transition } from '../../../asl/index.ts';
import { cut } from './text-width.ts';

/** A transition in the graph that is laid out. */
export interface Edge {
  /** Nodes: `start`, `end`, or the one of a state. */
  from: string;
  to: string;
  /** What it draws; undefined for that from the start. */
  drawn: { state: OutlinedState; transition: Transition } | undefined;
  label: { text: string; full: string } | undefined;
}

/** Characters of a label. */
const labelLength = 30;

export const nodeOf = (name: string) => `state ${name}`;

export function edgesOf({ startAt, states }: Outline): Edge[] {
  const edges: Edge[] = [{ from: 'start', to: nodeOf(startAt), drawn: undefined, label: undefined }];
  for (const state of states) {
    const { name, type, transitions } = state;
    // Succeed ends its scope without a transition.
    const all: Transition[] = transitions.length === 0 && type !== 'Fail' ? [{ to: undefined }] : transitions;
    for (const transition of all) {
      const { to, label } = transition;
      edges.push({
        ...{ from: nodeOf(name), to: to === undefined ? 'end' : nodeOf(to), drawn: { state, transition } },
        label:
          label === undefined ? undefined : { text: cut(shortCondition(label), labelLength), full: label },
      });
    }
  }
  return edges;
}

/** Without what conditions have in common. */
const shortCondition = (text: string) => text.replaceAll('$states.input.', '…');

/**
 * The transitions that lead back to a state on the path to their own, so that all others can point downwards. The path
 * follows the defaults: where a Choice leads back, its condition does so.
 */
export function backEdges(edges: Edge[]): Set<Edge> {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const rankOf = ({ drawn, label }: Edge) =>
    drawn?.transition.caught ? 2 : label && label.full !== 'otherwise' ? 1 : 0;
  const back = new Set<Edge>();
  const onPath = new Set<string>();
  const seen = new Set<string>();
  for (const root of outgoing.keys()) {
    // A stack instead of recursion: a definition may have thousands of states.
    const stack: { node: string; left: Edge[] }[] = [];
    const enter = (node: string) => {
      seen.add(node);
      onPath.add(node);
      const sorted = (outgoing.get(node) ?? []).toSorted((one, other) => rankOf(other) - rankOf(one));
      stack.push({ node, left: sorted });
    };
    if (!seen.has(root)) enter(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = top.left.pop();
      if (!edge) {
        onPath.delete(top.node);
        stack.pop();
      } else if (onPath.has(edge.to)) back.add(edge);
      else if (!seen.has(edge.to)) enter(edge.to);
    }
  }
  return back;
}

export const isLoop = ({ from, to }: Edge) => from === to;
/** The ends of an edge in the graph that is laid out, which has no cycles but loops. */
export const ends = (edge: Edge, back: Set<Edge>): [from: string, to: string] =>
  back.has(edge) ? [edge.to, edge.from] : [edge.from, edge.to];

/**
 * The nodes that the layout of a scope consists of, those of inner scopes included. Two ranks are between a state and
 * the next, and a transition has a node on each rank that it passes: one from each of 300 states to a shared Catch makes
 * 90,000.
 */
export function layoutSize(outline: Outline): number {
  const edges = edgesOf(outline);
  const back = backEdges(edges);
  const directed = edges.filter((edge) => !isLoop(edge)).map((edge) => ends(edge, back));
  const ranks = ranksOf(directed);
  const rankOf = (node: string) => ranks.get(node) ?? 0;
  const passed = directed.reduce((sum, [from, to]) => sum + 2 * (rankOf(to) - rankOf(from)) - 1, 0);
  const inner = outline.states.flatMap(({ scopes }) => scopes.map(layoutSize));
  return inner.reduce((sum, size) => sum + size, outline.states.length + passed);
}

/** The length of the longest path to each node of a graph without cycles. */
function ranksOf(edges: (readonly [from: string, to: string])[]): Map<string, number> {
  const outgoing = Map.groupBy(edges, ([from]) => from);
  const missing = new Map<string, number>();
  for (const [, to] of edges) missing.set(to, (missing.get(to) ?? 0) + 1);
  const ranks = new Map<string, number>();
  const ready = [...outgoing.keys()].filter((node) => !missing.has(node));
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    const next = (ranks.get(node) ?? 0) + 1;
    for (const [, to] of outgoing.get(node) ?? []) {
      ranks.set(to, Math.max(ranks.get(to) ?? 0, next));
      const left = (missing.get(to) ?? 0) - 1;
      missing.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return ranks;
}
