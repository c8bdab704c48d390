import type { Definition } from '../../../asl/index.ts';
import { type Html, html } from '../../domain/html.ts';
import type { Database } from '../../store/database.ts';
import { findRevision } from '../../store/definitions.ts';
import { historyOf } from '../../store/execution-history.ts';
import { type DescribedExecution, describeExecution, liveThreads } from '../../store/execution-list.ts';
import { formatDuration, pill, timeOf } from '../formats.ts';
import { drawing, type Look, lookNames } from './drawing.ts';
import { type Layout, type LayoutOf, layoutOf } from './layout.ts';
import { readStory, shownText } from './read-story.ts';
import { definitionPart, statesPart, valuePart } from './states.ts';
import type { ExecutionStory } from './story.ts';
import { timeline } from './timeline.ts';

interface ExecutionPage {
  title: string;
  main: Html;
  /** The execution runs. */
  isLive: boolean;
}

interface Options {
  now: Date;
  /** Default: lays out the graph each time. */
  layouts?: LayoutOf;
  /** What only the console shows, such as forms. */
  extra?: (execution: DescribedExecution) => Html | undefined;
}

/**
 * The page of one execution: its graph, timeline and states.
 *
 * @returns undefined if there is no such execution
 */
export async function executionPage(
  database: Database,
  id: string,
  { now, layouts = layoutOf, extra }: Options,
): Promise<ExecutionPage | undefined> {
  const execution = await describeExecution(database, id);
  if (!execution) return undefined;
  const revision = await findRevision(database, execution.workflowDefinitionId, execution.revision);
  const story = await readStory({
    execution,
    definition: (revision?.definition ?? { StartAt: '', States: {} }) as Definition,
    history: historyOf(database, id),
    threads: () => liveThreads(database, id),
    now,
  });
  const isLive = execution.endedAt === null;
  const main = html`${isLive && html`<div data-live hidden></div>`}
<h1>${execution.name}</h1>
<div data-part="summary">${summaryPart(execution, story)}</div>
${extra?.(execution)}
${isLive && html`<noscript><p class="actions"><a class="button" href="?">Reload for the current state</a></p></noscript>`}
${
  revision &&
  html`<h2 id="graph">Graph</h2>
${legend}
<div data-part="graph">${graphPart(story, layouts(story.root.outline, `${execution.workflowDefinitionId}/${execution.revision}`))}</div>`
}
<h2>Timeline</h2>
<div data-part="timeline">${
    story.states.length > 0
      ? timeline(story)
      : html`<p>The execution has no history${execution.pause ? ': it has not started' : ': it has not started, or its history was deleted'}.</p>`
  }</div>
<h2>States</h2>
<div data-part="states">${statesPart(story)}</div>`;
  return { title: `${execution.name}: ${execution.status}`, main, isLive };
}

function graphPart({ root }: ExecutionStory, layout: Layout | undefined): Html {
  if (layout)
    return html`<div class="picture" role="region" aria-labelledby="graph" tabindex="0">${drawing(root, layout)}</div>`;
  return html`<p>The definition is too large to be drawn. Its states and transitions:</p>
${definitionPart(root)}`;
}

function summaryPart(execution: DescribedExecution, story: ExecutionStory): Html {
  const { id, revision, workspace, createdAt, endedAt, expiresAt, startedBy, executionType } = execution;
  const { recordId, resultSize, status, pause } = execution;
  return html`${
    pause &&
    html`<p class="notice">The definition is paused since ${timeOf(pause.since)}${pause.reason && `: ${pause.reason}`}. The execution continues when it is resumed.</p>`
  }<p role="status">${pill(status)} ${endedAt ? 'after' : 'for'} ${formatDuration(story.until - story.startedAt)}</p>
${errorPart(execution, story)}
<dl class="facts">
<dt>Execution</dt><dd class="mono">${id}</dd>
<dt>Revision</dt><dd>${revision}</dd>
<dt>Workspace</dt><dd>${workspace.name}</dd>
<dt>Started</dt><dd>${timeOf(createdAt)} on behalf of ${startedBy ?? 'nobody'} (${executionType})</dd>
${endedAt ? html`<dt>Ended</dt><dd>${timeOf(endedAt)}</dd>` : html`<dt>Expires</dt><dd>${timeOf(expiresAt)}</dd>`}
${recordId && html`<dt>Record</dt><dd class="mono">${recordId}</dd>`}
${resultSize !== null && html`<dt>Result</dt><dd>${resultSize.toLocaleString('en')} bytes</dd>`}
</dl>
${valuePart({ key: 'parameters', name: 'Parameters', value: shownText(execution.parameters) })}`;
}

/** The error of the execution, with links to the states that failed, innermost last. */
function errorPart({ error, cause }: DescribedExecution, { states }: ExecutionStory): Html | false {
  if (error === null) return false;
  const failed = states.filter(({ counts }) => counts.failed > 0);
  return html`<div class="notice error"><p><strong>${error}</strong>${
    failed.length > 0 &&
    html` in ${failed.slice(0, 5).map((state, index) => html`${index > 0 && ', '}<a href="#${state.id}">${[...state.around, state.name].join(' / ')}</a>`)}`
  }</p>${cause && html`<pre>${cause}</pre>`}</div>`;
}

const looks = Object.keys(lookNames) as Look[];
const legend = html`<ul class="legend" aria-label="Legend">${looks.map(
  (look) => html`<li class="pill ${look}">${lookNames[look]}</li>`,
)}</ul>`;
