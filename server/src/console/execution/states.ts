import type { OutlinedState, Transition } from '../../../asl/index.ts';
import { type Html, html } from '../../domain/html.ts';
import { formatCount, formatDuration, timeOf } from '../formats.ts';
import { table } from '../table.ts';
import { lookOf, statusOf } from './drawing.ts';
import {
  type ExecutionStory,
  type FailedAttempt,
  type ScopeStory,
  type Shown,
  type StateStory,
  stateIn,
  totalOf,
  type Visit,
} from './story.ts';
import { cut } from './text-width.ts';
import { waitingFor } from './timeline.ts';

/** States with a section, or a row, of their own. */
const maxStates = 400;

/** The states of a definition that is not drawn, those of inner scopes after the state that they belong to. */
export function definitionPart(root: ScopeStory): Html {
  const all = outlined(root);
  return html`${table(all.slice(0, maxStates), {
    caption: 'States of the definition',
    empty: 'There are no states.',
    columns: [
      {
        ...{ name: 'State', heads: true, kind: 'break' },
        cell: ({ story: { id, name, around, spans } }) =>
          html`${spans.length > 0 ? html`<a href="#${id}">${name}</a>` : name}${around.length > 0 && html` <span class="muted">${around.join(' / ')}</span>`}`,
      },
      { name: 'Type', cell: ({ story: { type, detail } }) => [type, detail].filter(Boolean).join(' · ') },
      {
        ...{ name: 'What happened', kind: 'keep' },
        cell: ({ story }) => html`<span class="pill ${lookOf(story)}">${statusOf(story)}</span>`,
      },
      { name: 'Leads to', kind: 'break', cell: ({ state }) => state.transitions.map(targetOf).join(', ') },
    ],
  })}${moreStates(all.length)}`;
}

/** The states of a scope as they are, and what happened in them. */
const outlined = (scope: ScopeStory): { state: OutlinedState; story: StateStory }[] =>
  scope.outline.states.flatMap((state) => {
    const story = stateIn(scope, state.name);
    return [{ state, story }, ...story.scopes.flatMap(outlined)];
  });

/** Characters of a condition. */
const conditionLength = 60;

const targetOf = ({ to = 'the end', label }: Transition) =>
  label === undefined ? to : `${to} (${cut(label, conditionLength)})`;

const moreStates = (count: number) =>
  count > maxStates && html`<p class="muted">${count - maxStates} more states are not shown.</p>`;

/** A section for each state that was reached. Those that failed are open. */
export function statesPart(story: ExecutionStory): Html {
  const { states } = story;
  return html`${states.slice(0, maxStates).map((state) => statePart(state, story))}
${moreStates(states.length)}`;
}

function statePart(state: StateStory, story: ExecutionStory): Html {
  const { id, name, type, detail, around, shown, counts } = state;
  const look = lookOf(state);
  const total = totalOf(state);
  // The id is within the section, so that a link to it opens the section.
  return html`<details data-key="${id}"${counts.failed > 0 && html` open`}>
<summary><span class="name">${name}</span> <span class="pill ${look}">${statusOf(state)}</span>${
    around.length > 0 && html` <span class="muted">in ${around.join(' / ')}</span>`
  }</summary>
<div id="${id}">
<p class="muted">${[type, detail].filter(Boolean).join(' · ')}</p>
${
  total > shown.length &&
  html`<p>${formatCount(total)} visits; ${shown.length === 0 ? 'none' : shown.length} shown: the first ones, and the first ones with errors.</p>`
}
${shown.map((visit, index) => visitPart(visit, { key: `${id}-${index}`, story, isOnly: total === 1 }))}
</div>
</details>
`;
}

function visitPart(
  visit: Visit,
  { key, story, isOnly }: { key: string; story: ExecutionStory; isOnly: boolean },
): Html {
  const { branch, from, to, outcome, attempts, values, activity } = visit;
  const title = branch === '' ? (isOnly ? '' : `At +${formatDuration(from - story.startedAt)}`) : branch;
  return html`<div class="visit ${outcome}">
${title !== '' && html`<h3>${title}</h3>`}
<p>${timeOf(new Date(from))}, ${outcome === 'running' ? 'for' : 'took'} ${formatDuration(to - from)}${
    activity && `, ${waitingFor(activity)}`
  }</p>
${attempts.length > 0 && html`<ol>${attempts.map((attempt) => attemptPart(attempt, story))}</ol>`}
${[...values].map(([name, value]) =>
  valuePart({ key: `${key}-${name}`, name: `${name[0]?.toUpperCase()}${name.slice(1)}`, value }),
)}
</div>`;
}

function attemptPart({ at, error, cause, retryAt }: FailedAttempt, { startedAt }: ExecutionStory): Html {
  const next = retryAt === undefined ? '' : `, retried ${formatDuration(retryAt - at)} later`;
  return html`<li>Failed at +${formatDuration(at - startedAt)} with <strong>${error}</strong>${next}${cause !== '' && html`<pre>${cause}</pre>`}</li>`;
}

interface NamedValue {
  /** Unique in the page, and the same in each version of it. */
  key: string;
  name: string;
  value: Shown;
}

/** Characters of a value that needs no section. */
const inlineLength = 80;

/** A value that can be opened, if it is not short. */
export function valuePart({ key, name, value }: NamedValue): Html {
  if ('bytes' in value)
    return html`<p>${name}: ${formatCount(value.bytes)} bytes: wrp execution show --full has them.</p>`;
  const { text, isShortened } = value;
  if (text.length <= inlineLength && !text.includes('\n')) return html`<p>${name} <code>${text}</code></p>`;
  const size = isShortened ? 'shortened' : `${formatCount(text.length)} characters`;
  return html`<details data-key="${key}"><summary>${name} <span class="muted">${size}</span></summary><div><pre tabindex="0">${text}</pre>${
    isShortened && html`<p class="muted">Shortened: wrp execution show --json has all of it.</p>`
  }</div></details>`;
}
