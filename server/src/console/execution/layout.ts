import { Graph, layout } from '@dagrejs/dagre';
import { endsAfter, type ScopeStory, type StateStory, transitionKey } from './story.ts';
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
  state: StateStory;
  /** The lines of its text. */
  title: string;
  subtitle: string;
  status: string;
  /** The scopes in it, with their upper left corners relative to the box. */
  inner: { at: Point; layout: Layout; title: string }[];
}

export interface Line {
  points: Point[];
  /** How often it was taken. */
  taken: number;
  caught: boolean;
  label?: { at: Point; text: string; full: string };
}

export const text = { title: 14, small: 12 };
export const markRadius = 8;
/** Above the scopes of a box, and around them. */
export const boxHeader = 76;
const boxPadding = 16;
const branchHeader = 24;
/** Characters of the lines of a box, and of a label. */
const [titleLength, subtitleLength, labelLength] = [34, 40, 30];
const leafHeight = 68;
const minimumWidth = 150;

/**
 * Places the states of a scope in ranks from top to bottom. A scope within a state is placed on its own, and the state
 * is as large as it needs.
 *
 * @param statusOf the last line of a state's box
 */
export function layoutScope(scope: ScopeStory, statusOf: (state: StateStory) => string): Layout {
  const boxes = scope.outline.states.flatMap(({ name }) => {
    const state = scope.states.get(name);
    return state ? [boxOf(state, statusOf)] : [];
  });
  const graph = new Graph({ multigraph: true }) as unknown as PlacedGraph;
  graph.setGraph({ rankdir: 'TB', nodesep: 28, edgesep: 18, ranksep: 36 });
  const mark = { width: markRadius * 2, height: markRadius * 2 };
  graph.setNode('start', { ...mark });
  const edges = edgesOf(scope);
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
    const size = label ? { width: textWidth(label.text, text.small) + 10, height: 18, labelpos: 'c' } : {};
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

const nodeOf = (name: string) => `state ${name}`;

interface Edge {
  from: string;
  to: string;
  taken: number;
  caught: boolean;
  label: { text: string; full: string } | undefined;
}

function edgesOf(scope: ScopeStory): Edge[] {
  const { outline, states, transitions } = scope;
  const started = [...states.values()].some(({ spans }) => spans.length > 0);
  const edges: Edge[] = [
    { from: 'start', to: nodeOf(outline.startAt), taken: started ? 1 : 0, caught: false, label: undefined },
  ];
  for (const { name, type, transitions: outgoing } of outline.states) {
    const state = states.get(name) as StateStory;
    // Succeed ends its scope without a transition.
    const all = outgoing.length === 0 && type !== 'Fail' ? [{ to: undefined, label: undefined }] : outgoing;
    for (const { to, label, ...rest } of all) {
      const caught = 'caught' in rest;
      const total =
        to === undefined ? endsAfter(scope, state) : (transitions.get(transitionKey(name, to)) ?? 0);
      // Where Next and a Catch lead to the same state, the number of caught errors tells them apart.
      const isShared = outgoing.some((other) => other.caught && !caught && other.to === to);
      const byCatch = Math.min(total, state.counts.caught);
      edges.push({
        from: nodeOf(name),
        to: to === undefined ? 'end' : nodeOf(to),
        taken: caught ? byCatch : total - (isShared ? byCatch : 0),
        caught,
        label:
          label === undefined ? undefined : { text: cut(shortCondition(label), labelLength), full: label },
      });
    }
  }
  return edges;
}

/** Without what conditions have in common. */
const shortCondition = (text: string) => text.replaceAll('$states.input.', '…');

function boxOf(state: StateStory, statusOf: (state: StateStory) => string): StateBox {
  const title = cut(state.name, titleLength);
  const subtitle = cut([state.type, state.detail].filter(Boolean).join(' · '), subtitleLength);
  const status = statusOf(state);
  const lines = Math.max(
    textWidth(title, text.title) * 1.08,
    textWidth(subtitle, text.small),
    textWidth(status, text.small) * 1.05,
  );
  const own = { x: 0, y: 0, state, title, subtitle, status };
  const least = Math.max(minimumWidth, Math.ceil(lines) + 32);
  if (state.scopes.length === 0) return { ...own, width: least, height: leafHeight, inner: [] };
  const isParallel = state.type === 'Parallel';
  const header = boxHeader + branchHeader;
  let x = boxPadding;
  let height = 0;
  const inner = state.scopes.map((scope, index) => {
    const layout = layoutScope(scope, statusOf);
    const at = { x, y: header };
    x += layout.width + boxPadding;
    height = Math.max(height, layout.height);
    return { at, layout, title: isParallel ? `Branch [${index}]` : 'For each item' };
  });
  const shift = Math.max(0, (least - x) / 2);
  for (const { at } of inner) at.x += shift;
  return { ...own, width: Math.max(least, x), height: header + height + boxPadding, inner };
}

/**
 * The transitions that lead back to a state on the way to their own, so that all others can point downwards. The way is
 * that of the defaults: where a Choice leads back, its condition does so.
 */
function backEdges(edges: Edge[]): Set<Edge> {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const rankOf = ({ caught, label }: Edge) => (caught ? 2 : label && label.full !== 'otherwise' ? 1 : 0);
  const back = new Set<Edge>();
  const onTheWay = new Set<string>();
  const seen = new Set<string>();
  for (const root of outgoing.keys()) {
    // A stack instead of recursion: a definition may have thousands of states.
    const stack: { node: string; left: Edge[] }[] = [];
    const enter = (node: string) => {
      seen.add(node);
      onTheWay.add(node);
      const sorted = (outgoing.get(node) ?? []).toSorted((one, other) => rankOf(other) - rankOf(one));
      stack.push({ node, left: sorted });
    };
    if (!seen.has(root)) enter(root);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = top.left.pop();
      if (!edge) {
        onTheWay.delete(top.node);
        stack.pop();
      } else if (onTheWay.has(edge.to)) back.add(edge);
      else if (!seen.has(edge.to)) enter(edge.to);
    }
  }
  return back;
}

const isLoop = ({ from, to }: Edge) => from === to;
/** How far a transition from a state to itself reaches beyond its box. */
const loopReach = 24;

/** The room beside a state's box for its transitions to itself. */
function loopWidth(edges: Edge[], node: string): number {
  const loops = edges.filter((edge) => edge.from === node && isLoop(edge));
  const widths = loops.map(({ label }) => (label ? textWidth(label.text, text.small) + 16 : 0));
  return loops.length === 0 ? 0 : loopReach + Math.max(...widths);
}

/** A transition from a state to itself, at the right side of its box. */
function loopOf({ x, y, width, height }: StateBox, { taken, caught, label }: Edge): Line {
  const [right, middle] = [x + width, y + height / 2];
  const points = [
    { x: right, y: middle - 14 },
    { x: right + loopReach, y: middle - 14 },
    { x: right + loopReach, y: middle + 14 },
    { x: right, y: middle + 14 },
  ];
  const at = label && { x: right + loopReach + textWidth(label.text, text.small) / 2 + 8, y: middle };
  return { points, taken, caught, ...(label && at && { label: { at, ...label } }) };
}

/** The ends of an edge in the graph that is laid out, which has no cycles but loops. */
const ends = (edge: Edge, back: Set<Edge>): [from: string, to: string] =>
  back.has(edge) ? [edge.to, edge.from] : [edge.from, edge.to];

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
    const { label, taken, caught } = edge;
    const line = routed(points, { bands, from: nodeAt(v), to: nodeAt(w) });
    return {
      points: back.has(edge) ? line.reverse() : line,
      ...{ taken, caught },
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
 * The way of a transition. The layout places its points at the centers of ranks, so a straight line between two of them
 * could cross the corner of a tall box beside it: within a rank, this way is vertical.
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
    label ? [{ ...label.at, half: textWidth(label.text, text.small) / 2 + 5 }] : [],
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
