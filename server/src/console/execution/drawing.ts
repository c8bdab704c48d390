import { type Html, html } from '../../domain/html.ts';
import {
  boxHeader,
  fontSize,
  type Layout,
  type Line,
  markRadius,
  type Point,
  type StateBox,
} from './layout.ts';
import { type ScopeStory, type StateStory, stateIn, timesTaken, totalOf } from './story.ts';
import { fit } from './text-width.ts';

/** What a state's colour says. The first that holds. */
export type Look = 'running' | 'failed' | 'caught' | 'retried' | 'completed' | 'stopped' | 'idle';

export const lookNames: Record<Look, string> = {
  running: 'running',
  failed: 'failed',
  caught: 'error caught',
  retried: 'completed after a retry',
  completed: 'completed',
  stopped: 'stopped',
  idle: 'not reached',
};

export function lookOf({ counts, retries }: StateStory): Look {
  if (counts.running > 0) return 'running';
  if (counts.failed > 0) return 'failed';
  if (counts.caught > 0) return 'caught';
  if (counts.completed > 0) return retries > 0 ? 'retried' : 'completed';
  return counts.stopped > 0 ? 'stopped' : 'idle';
}

const number = (count: number) => count.toLocaleString('en');

/** What happened in a state, in a few words: `1,000 completed, 3 retries`. */
export function statusOf(state: StateStory): string {
  const { counts, retries } = state;
  const total = totalOf(state);
  if (total === 0) return lookNames.idle;
  const words = {
    running: 'running',
    failed: 'failed',
    caught: 'caught',
    stopped: 'stopped',
    completed: 'completed',
  };
  const parts = (Object.keys(words) as (keyof typeof words)[])
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => (total === 1 ? words[outcome] : `${number(counts[outcome])} ${words[outcome]}`));
  if (retries > 0) parts.push(`${number(retries)} ${retries === 1 ? 'retry' : 'retries'}`);
  return parts.join(', ');
}

/** The graph of an execution's definition as SVG. Each state that was reached links to its section. */
export function drawing(root: ScopeStory, layout: Layout): Html {
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return html`<svg class="graph" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="The states and transitions of the definition. The timeline and the list of states have the same content as text.">
${markers}
${scopePart(layout, root, { x: 0, y: 0 })}
</svg>`;
}

const markers = html`<defs>${(['', 'taken', 'caught'] as const).map(
  (kind) =>
    html`<marker id="arrow${kind && `-${kind}`}" class="arrow ${kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 1 10 5 0 9z"/></marker>`,
)}</defs>`;

/** A line, and how often its transition was taken. */
type TakenLine = Line & { taken: number };

/** Lines first, so that boxes and labels are above them; lines that were taken after the others. */
function scopePart({ marks, states, transitions }: Layout, scope: ScopeStory, at: Point): Html {
  const isStarted = [...scope.states.values()].some(({ spans }) => spans.length > 0);
  const lines = transitions
    .map((line): TakenLine => {
      const { drawn } = line;
      const taken = drawn ? timesTaken(scope, drawn.state, drawn.transition) : Number(isStarted);
      return { ...line, taken };
    })
    .sort((one, other) => Number(one.taken > 0) - Number(other.taken > 0));
  return html`<g transform="translate(${round(at.x)} ${round(at.y)})">
${lines.map(linePart)}
${lines.map(labelPart)}
${marks.map(markPart)}
${states.map((box) => statePart(box, stateIn(scope, box.state.name)))}
</g>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

function linePart({ points, taken, drawn }: TakenLine): Html {
  const caught = drawn?.transition.caught;
  const kind = taken > 0 ? (caught ? 'caught' : 'taken') : '';
  const dashed = caught && ' dashed';
  return html`<path class="line ${kind}${dashed}" d="${pathOf(points)}" marker-end="url(#arrow${kind && `-${kind}`})"/>`;
}

/** A line through points with rounded corners. */
function pathOf(points: Point[]): string {
  const radius = 10;
  const at = ({ x, y }: Point) => `${round(x)} ${round(y)}`;
  const toward = (from: Point, to: Point): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const share = length === 0 ? 0 : Math.min(radius, length / 2) / length;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  };
  return points
    .map((point, index) => {
      const [before, after] = [points[index - 1], points[index + 1]];
      if (!before) return `M${at(point)}`;
      if (!after) return `L${at(point)}`;
      return `L${at(toward(point, before))}Q${at(point)} ${at(toward(point, after))}`;
    })
    .join('');
}

function labelPart({ label, taken }: TakenLine): Html | false {
  if (!label) return false;
  const { at, text, full } = label;
  return html`<text class="label${taken > 0 && ' taken'}" x="${round(at.x)}" y="${round(at.y + 4)}">${text}${
    full !== text && html`<title>${full}</title>`
  }</text>`;
}

function markPart({ kind, x, y }: Layout['marks'][number]): Html {
  const dot = html`<circle class="mark" cx="${round(x)}" cy="${round(y)}" r="${kind === 'start' ? markRadius : 4}"/>`;
  if (kind === 'start') return dot;
  return html`<circle class="mark ring" cx="${round(x)}" cy="${round(y)}" r="${markRadius - 1}"/>${dot}`;
}

function statePart(box: StateBox, state: StateStory): Html {
  const { x, y, width, height, title, subtitle, inner } = box;
  const status = statusOf(state);
  const look = lookOf(state);
  const center = width / 2;
  const content = html`<rect width="${round(width)}" height="${round(height)}" rx="10"/>
<text class="name" x="${round(center)}" y="24">${title}</text>
<text class="small" x="${round(center)}" y="41">${subtitle}</text>
<text class="status" x="${round(center)}" y="58">${fit(status, fontSize.small, width - 20)}</text>
<title>${state.name}: ${status}</title>`;
  const shown = look === 'idle' ? content : html`<a href="#${state.id}">${content}</a>`;
  return html`<g class="state ${look}${inner.length > 0 && ' around'}" transform="translate(${round(x)} ${round(y)})">${shown}
${inner.map(
  ({ at, layout, title: name }, index) =>
    html`${
      inner.length > 1 &&
      html`<rect class="branch" x="${round(at.x - 4)}" y="${boxHeader - 4}" width="${round(layout.width + 8)}" height="${round(height - boxHeader - 6)}" rx="8"/>`
    }<text class="small" x="${round(at.x + layout.width / 2)}" y="${boxHeader + 14}">${name}</text>${scopePart(layout, state.scopes[index] as ScopeStory, at)}`,
)}</g>`;
}
