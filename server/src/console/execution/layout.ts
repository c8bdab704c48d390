import { Graph, layout } from '@dagrejs/dagre';
import type { Outline, OutlinedState } from '../../../asl/index.ts';
import { backEdges, type Edge, edgesOf, ends, isLoop, layoutSize, nodeOf } from './edges.ts';
import { cut, textWidth } from './text-width.ts';

/** Positions of a scope's states and transitions. Pixels, from its upper left corner. */
export interface Layout {
  width: number;
  height: number;
  /** Circles: where it starts and ends. */
  marks: (Point & { kind: 'start' | 'end' })[];
  states: StateBox[];
  transitions: Line[];
}

export interface Point {
  x: number;
  y: number;
}

export interface StateBox extends Point {
  width: number;
  height: number;
  state: OutlinedState;
  /** The first lines of its text. */
  title: string;
  subtitle: string;
  /** The scopes in it, with their upper left corners relative to the box. */
  inner: { at: Point; layout: Layout; title: string }[];
}

export interface Line {
  points: Point[];
  /** What it draws; undefined for the line from the start. */
  drawn: Edge['drawn'];
  label?: { at: Point; text: string; full: string };
}

export const fontSize = { title: 14, small: 12 };
export const markRadius = 8;
/** Above the scopes of a box, and around them. */
export const boxHeader = 76;
const boxPadding = 16;
const branchHeader = 24;
/** Characters of the lines of a box. */
const [titleLength, subtitleLength] = [34, 40];
const leafHeight = 68;
/** Room for what usually happened in a state, such as `10 failed, 990 completed`. */
const minimumWidth = 200;

/** Nodes of a layout. dagre takes about 0.12 ms for each, during which nothing else runs. */
const maxSize = 2_500;

/** @returns undefined if the definition is too large to be laid out */
export type LayoutOf = (outline: Outline, revision: string) => Layout | undefined;

/**
 * Places the states of a scope in ranks from top to bottom. A scope within a state is placed on its own, and the state
 * is as large as it needs. What happened in an execution changes no place.
 */
export const layoutOf = (outline: Outline): Layout | undefined =>
  layoutSize(outline) > maxSize ? undefined : layoutScope(outline);

/** Lays out a revision once, as long as it is among those drawn last: the page of a running execution is polled. */
export function rememberedLayouts(
  lay: (outline: Outline) => Layout | undefined = layoutOf,
  most = 20,
): LayoutOf {
  const known = new Map<string, Layout | undefined>();
  return (outline, revision) => {
    const layout = known.has(revision) ? known.get(revision) : lay(outline);
    known.delete(revision);
    known.set(revision, layout);
    for (const oldest of known.keys()) if (known.size > most) known.delete(oldest);
    return layout;
  };
}

function layoutScope(outline: Outline): Layout {
  const boxes = outline.states.map(boxOf);
  const graph = new Graph({ multigraph: true }) as unknown as PlacedGraph;
  graph.setGraph({ rankdir: 'TB', nodesep: 28, edgesep: 18, ranksep: 36 });
  const mark = { width: markRadius * 2, height: markRadius * 2 };
  graph.setNode('start', { ...mark });
  const edges = edgesOf(outline);
  for (const { state, width, height } of boxes) {
    const id = nodeOf(state.name);
    graph.setNode(id, { width: width + 2 * loopWidth(edges, id), height });
  }
  if (edges.some(({ to }) => to === 'end')) graph.setNode('end', { ...mark });
  const back = backEdges(edges);
  for (const [index, edge] of edges.entries()) {
    if (isLoop(edge)) continue;
    const { label } = edge;
    const [from, to] = ends(edge, back);
    const size = label
      ? { width: textWidth(label.text, fontSize.small) + 10, height: 18, labelpos: 'c' }
      : {};
    graph.setEdge(from, to, { ...size }, String(index));
  }
  layout(graph as never);
  return placed(graph, { boxes, edges, back });
}

/** What of the graph is used. */
interface PlacedGraph {
  setGraph(options: object): void;
  setNode(id: string, size: { width: number; height: number }): void;
  setEdge(from: string, to: string, label: object, name: string): void;
  hasNode(id: string): boolean;
  node(id: string): Point & { width: number; height: number };
  edge(edge: { v: string; w: string; name: string }): { points: Point[] } & Partial<Point>;
  graph(): { width?: number; height?: number };
  nodes(): string[];
}

function boxOf(state: OutlinedState): StateBox {
  const title = cut(state.name, titleLength);
  const subtitle = cut([state.type, state.detail].filter(Boolean).join(' · '), subtitleLength);
  const lines = Math.max(textWidth(title, fontSize.title) * 1.08, textWidth(subtitle, fontSize.small));
  const own = { x: 0, y: 0, state, title, subtitle };
  const least = Math.max(minimumWidth, Math.ceil(lines) + 32);
  if (state.scopes.length === 0) return { ...own, width: least, height: leafHeight, inner: [] };
  const isParallel = state.type === 'Parallel';
  const header = boxHeader + branchHeader;
  let x = boxPadding;
  let height = 0;
  const inner = state.scopes.map((scope, index) => {
    const layout = layoutScope(scope);
    const at = { x, y: header };
    x += layout.width + boxPadding;
    height = Math.max(height, layout.height);
    return { at, layout, title: isParallel ? `Branch [${index}]` : 'For each item' };
  });
  const shift = Math.max(0, (least - x) / 2);
  for (const { at } of inner) at.x += shift;
  return { ...own, width: Math.max(least, x), height: header + height + boxPadding, inner };
}

/** How far a transition from a state to itself reaches beyond its box. */
const loopReach = 24;

/** The room beside a state's box for its transitions to itself. */
function loopWidth(edges: Edge[], node: string): number {
  const loops = edges.filter((edge) => edge.from === node && isLoop(edge));
  const widths = loops.map(({ label }) => (label ? textWidth(label.text, fontSize.small) + 16 : 0));
  return loops.length === 0 ? 0 : loopReach + Math.max(...widths);
}

/** A transition from a state to itself, at the right side of its box. */
function loopOf({ x, y, width, height }: StateBox, { drawn, label }: Edge): Line {
  const [right, middle] = [x + width, y + height / 2];
  const points = [
    { x: right, y: middle - 14 },
    { x: right + loopReach, y: middle - 14 },
    { x: right + loopReach, y: middle + 14 },
    { x: right, y: middle + 14 },
  ];
  const at = label && { x: right + loopReach + textWidth(label.text, fontSize.small) / 2 + 8, y: middle };
  return { points, drawn, ...(label && at && { label: { at, ...label } }) };
}

function placed(
  graph: PlacedGraph,
  { boxes, edges, back }: { boxes: StateBox[]; edges: Edge[]; back: Set<Edge> },
): Layout {
  const states = boxes.map((box) => {
    const { x, y } = graph.node(nodeOf(box.state.name));
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
  const marks = (['start', 'end'] as const).flatMap((kind) =>
    graph.hasNode(kind) ? [{ kind, x: graph.node(kind).x, y: graph.node(kind).y }] : [],
  );
  // Without the room for transitions to itself.
  const widths = new Map(boxes.map(({ state, width }) => [nodeOf(state.name), width]));
  const nodeAt = (id: string) => ({ ...graph.node(id), width: widths.get(id) ?? 2 * markRadius });
  const placedEdges = edges.flatMap((edge, index) => {
    if (isLoop(edge)) return [];
    const [v, w] = ends(edge, back);
    return [{ edge, v, w, ...graph.edge({ v, w, name: String(index) }) }];
  });
  const labels = placedEdges.flatMap(({ edge: { label }, y }) => (label && y !== undefined ? [y] : []));
  const bands = bandsOf(graph, labels);
  const transitions = placedEdges.map(({ edge, v, w, points, x = 0, y = 0 }): Line => {
    const { label, drawn } = edge;
    const line = routed(points, { bands, from: nodeAt(v), to: nodeAt(w) });
    return {
      points: back.has(edge) ? line.reverse() : line,
      drawn,
      ...(label && { label: { at: { x, y }, ...label } }),
    };
  });
  const loops = edges.filter(isLoop).flatMap((edge) => {
    const box = states.find(({ state }) => nodeOf(state.name) === edge.from);
    return box ? [loopOf(box, edge)] : [];
  });
  return withMargin({ marks, states, transitions: [...transitions, ...loops] });
}

interface Band {
  center: number;
  top: number;
  bottom: number;
}

/** The heights of the ranks. @param labels the centers of labels, whose ranks have no states */
function bandsOf(graph: PlacedGraph, labels: number[]): Band[] {
  const bands = new Map<number, Band>();
  for (const y of labels) bands.set(Math.round(y), { center: y, top: y - 11, bottom: y + 11 });
  for (const id of graph.nodes()) {
    const { y, height } = graph.node(id);
    const key = Math.round(y);
    const { top, bottom } = bands.get(key) ?? { top: y, bottom: y };
    bands.set(key, {
      center: y,
      top: Math.min(top, y - height / 2),
      bottom: Math.max(bottom, y + height / 2),
    });
  }
  return [...bands.values()];
}

type Node = Point & { width: number; height: number };

/**
 * The route of a transition. The layout places its points at the centers of ranks, so a straight line between two of them
 * could cross the corner of a tall box beside it: within a rank, this route is vertical.
 */
function routed(points: Point[], { bands, from, to }: { bands: Band[]; from: Node; to: Node }): Point[] {
  const bandAt = (y: number) => bands.find(({ center }) => Math.abs(center - y) < 1);
  const endAt = (node: Node, toward: Point, side: 'bottom' | 'top'): Point[] => {
    const reach = Math.max(0, node.width / 2 - 14);
    const edge = node.y + (side === 'bottom' ? node.height / 2 : -node.height / 2);
    const slope = (toward.x - node.x) * (node.width > 60 ? 0.25 : 0);
    const x = node.x + Math.max(-reach, Math.min(reach, slope));
    return [
      { x, y: edge },
      { x, y: bandAt(node.y)?.[side] ?? edge },
    ];
  };
  const inside = points.slice(1, -1);
  const middle = inside.flatMap(({ x, y }) => {
    const band = bandAt(y);
    return band
      ? [
          { x, y: band.top },
          { x, y: band.bottom },
        ]
      : [{ x, y }];
  });
  const first = endAt(from, inside[0] ?? to, 'bottom');
  const last = endAt(to, inside.at(-1) ?? from, 'top').reverse();
  const all = [...first, ...middle, ...last];
  // Without repeated points: the last two decide the direction of the arrow.
  return all.filter(({ x, y }, index) => x !== all[index - 1]?.x || y !== all[index - 1]?.y);
}

const margin = 6;

/** Moves everything so that lines and labels beyond the boxes are within the layout, too. */
function withMargin({ marks, states, transitions }: Omit<Layout, 'width' | 'height'>): Layout {
  const labels = transitions.flatMap(({ label }) =>
    label ? [{ ...label.at, half: textWidth(label.text, fontSize.small) / 2 + 5 }] : [],
  );
  const points = transitions.flatMap((line) => line.points);
  const xs = [
    ...states.flatMap(({ x, width }) => [x, x + width]),
    ...points.map(({ x }) => x),
    ...labels.flatMap(({ x, half }) => [x - half, x + half]),
    ...marks.flatMap(({ x }) => [x - markRadius, x + markRadius]),
  ];
  const ys = [
    ...states.flatMap(({ y, height }) => [y, y + height]),
    ...points.map(({ y }) => y),
    ...marks.flatMap(({ y }) => [y - markRadius, y + markRadius]),
  ];
  const [left, top] = [least(xs) - margin, least(ys) - margin];
  const moved = <P extends Point>(point: P): P => ({ ...point, x: point.x - left, y: point.y - top });
  return {
    width: -least(xs.map((x) => -x)) + margin - left,
    height: -least(ys.map((y) => -y)) + margin - top,
    marks: marks.map(moved),
    states: states.map(moved),
    transitions: transitions.map(({ label, ...line }) => ({
      ...line,
      points: line.points.map(moved),
      ...(label && { label: { ...label, at: moved(label.at) } }),
    })),
  };
}

/** With a loop: a definition may have more states than a call may have arguments. */
const least = (values: number[]) => values.reduce((one, other) => (one < other ? one : other), Infinity);
