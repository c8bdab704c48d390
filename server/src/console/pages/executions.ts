import { html } from '../../domain/html.ts';
import { type ListedExecution, listExecutions } from '../../store/execution-list.ts';
import { executionStatuses } from '../../store/schema.ts';
import { filters, input, oneOf, pageLinks, positionIn, select } from '../filters.ts';
import { formatDuration, pill, timeOf } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';

const pageSize = 50;
/** Characters of a cause; the page of the execution has all of it. */
const causeLength = 200;

/** The executions, as `wrp execution list` lists them. */
export const executions: ConsolePage = {
  path: '/executions',
  name: 'Executions',
  async show({ database, query, now }) {
    const status = oneOf(executionStatuses, query.get('status'));
    const definition = query.get('definition') ?? '';
    const after = positionIn('executions', query);
    const { content, next } = await listExecutions(
      database,
      { status, definition: definition || undefined },
      { after, size: pageSize },
    );
    const main = html`<h1>Executions</h1>
${filters([
  select({
    ...{ name: 'status', label: 'Status', value: status ?? '' },
    options: [['', 'any'], ...executionStatuses.map((one): [string, string] => [one, one])],
  }),
  input({ name: 'definition', label: 'Definition (name or id)', value: definition }),
])}
${table(content, {
  caption: 'Executions, newest first',
  empty: 'There are no matching executions.',
  columns: [
    {
      name: 'Definition',
      heads: true,
      cell: ({ id, name }) => html`<a href="/executions/${id}">${name}</a>`,
    },
    { name: 'Status', cell: (entry) => pill(entry.status) },
    { name: 'Started (UTC)', kind: 'time', cell: ({ createdAt }) => timeOf(createdAt) },
    { name: 'Duration', kind: 'number', cell: (entry) => formatDuration(durationOf(entry, now)) },
    { name: 'Error', kind: 'break', cell: errorOf },
    { name: 'Workspace', cell: ({ workspace }) => workspace.name },
    { name: 'Revision', cell: ({ revision }) => revision },
    { name: 'Execution', kind: 'keep', cell: ({ id }) => html`<span class="mono">${id}</span>` },
  ],
})}
${pageLinks('executions', query, next)}`;
    return { title: 'Executions', main };
  },
};

const durationOf = ({ createdAt, endedAt }: ListedExecution, now: Date) =>
  (endedAt ?? now).getTime() - createdAt.getTime();

function errorOf({ error, cause }: ListedExecution) {
  if (error === null) return '–';
  const start = cause && cause.length > causeLength ? `${cause.slice(0, causeLength)}…` : cause;
  return html`<strong>${error}</strong>${start && html` <span class="muted">${start}</span>`}`;
}
