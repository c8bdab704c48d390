import { type Html, html } from '../../domain/html.ts';
import { formatDuration } from '../formats.ts';
import { lookNames, statusOf } from './drawing.ts';
import type { ExecutionStory, Outcome, Span, StateStory, Visit } from './story.ts';

/** Visits of a state that have a row each. More share one row. */
const maxVisits = 8;
const maxRows = 300;
/** Bars of a row. Visits that overlap in one of as many parts of the time share a bar. */
const maxBars = 200;
/** Units of the width of a bar's cell. */
const scale = 1_000;

interface Row {
  state: StateStory;
  /** Undefined: all visits of the state. */
  visit?: Visit;
  from: number;
  to: number;
}

/** A table of what ran when. */
export function timeline(story: ExecutionStory): Html {
  const all = story.states.flatMap(rowsOf).sort((one, other) => one.from - other.from);
  const rows = all.slice(0, maxRows);
  return html`<div class="scroll" role="region" aria-label="Timeline" tabindex="0">
<table class="timeline">
<thead><tr><th scope="col">State</th><th scope="col">What happened</th><th scope="col" class="number">Start</th><th scope="col" class="number">Duration</th><th scope="col" class="wide">Timeline of ${formatDuration(story.until - story.startedAt)}</th></tr></thead>
<tbody>${rows.map((row) => rowPart(row, story))}</tbody>
</table>
</div>
${all.length > rows.length && html`<p class="muted">${all.length - rows.length} more rows are not shown.</p>`}`;
}

function rowsOf(state: StateStory): Row[] {
  const { spans, shown } = state;
  if (spans.length <= maxVisits && shown.length === spans.length)
    return shown.map((visit) => ({ state, visit, from: visit.from, to: visit.to }));
  const from = spans.reduce((first, span) => Math.min(first, span.from), Number.POSITIVE_INFINITY);
  const to = spans.reduce((last, span) => Math.max(last, span.to), 0);
  return [{ state, from, to }];
}

function rowPart({ state, visit, from, to }: Row, story: ExecutionStory): Html {
  const branch = visit ? visit.branch : state.around.join(' / ');
  return html`<tr><th scope="row"><a href="#${state.id}">${state.name}</a>${
    branch !== '' && html` <span class="muted">${branch}</span>`
  }</th><td>${visit ? visitStatus(visit) : statusOf(state)}</td><td class="number">+${formatDuration(from - story.startedAt)}</td><td class="number">${formatDuration(to - from)}</td><td class="wide">${bars(visit, state, story)}</td></tr>`;
}

function visitStatus({ outcome, attempts, activity }: Visit): string {
  const retries = attempts.filter(({ retryAt }) => retryAt !== undefined).length;
  const look = outcome === 'completed' && retries > 0 ? 'retried' : outcome;
  const error = attempts.at(-1)?.error;
  const parts = [
    lookNames[look],
    ...((outcome === 'failed' || outcome === 'caught') && error ? [error] : []),
    ...(retries > 0 ? [`${retries} ${retries === 1 ? 'retry' : 'retries'}`] : []),
    ...(activity && outcome === 'running' ? [waitingFor(activity)] : []),
  ];
  return parts.join(', ');
}

/** What a thread waits for, in words. */
export function waitingFor(awaiting: string): string {
  if (awaiting === 'pause') return 'is paused with its definition';
  if (awaiting === 'fork') return 'waits for its branches';
  return awaiting === 'wait' ? 'waits' : `waits for its ${awaiting}`;
}

function bars(visit: Visit | undefined, state: StateStory, { startedAt, until }: ExecutionStory): Html {
  const length = Math.max(1, until - startedAt);
  const at = (time: number) => (Math.min(Math.max(time, startedAt), until) - startedAt) / length;
  const bar = (kind: string, from: number, to: number) => {
    const x = Math.min(at(from) * scale, scale - 3);
    const width = Math.max(3, (at(to) - at(from)) * scale);
    return html`<rect class="${kind}" x="${x.toFixed(1)}" y="2" width="${Math.min(width, scale - x).toFixed(1)}" height="12"/>`;
  };
  const drawn = visit
    ? [
        bar(visit.outcome, visit.from, visit.to),
        ...visit.waits.map(({ from, to }) => bar('pause', from, Math.min(to, visit.to))),
        ...visit.attempts.map(({ at: time }) => bar('attempt', time, time)),
      ]
    : merged(state.spans, { startedAt, length }).map(({ outcome, from, to }) => bar(outcome, from, to));
  return html`<svg class="bars" viewBox="0 0 ${scale} 16" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

const worst: Outcome[] = ['failed', 'caught', 'running', 'stopped', 'completed'];

/** Bars of many visits: those that begin in the same part of the time are one, with the worst of their outcomes. */
export function merged(spans: Span[], { startedAt, length }: { startedAt: number; length: number }): Span[] {
  const parts = new Map<number, Span>();
  for (const { from, to, outcome } of spans) {
    const part = Math.floor(((from - startedAt) / length) * maxBars);
    const known = parts.get(part);
    if (!known) parts.set(part, { from, to, outcome });
    else {
      known.from = Math.min(known.from, from);
      known.to = Math.max(known.to, to);
      if (worst.indexOf(outcome) < worst.indexOf(known.outcome)) known.outcome = outcome;
    }
  }
  return [...parts.values()];
}
