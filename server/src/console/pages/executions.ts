import { shortened } from '../../../json/index.ts';
import { html } from '../../domain/html.ts';
import { isUuid } from '../../domain/identifiers.ts';
import type { ExecutionFilter } from '../../store/execution-filter.ts';
import { type ListedExecution, listExecutions } from '../../store/execution-list.ts';
import { executionStatuses } from '../../store/schema.ts';
import { filters, input, oneOf, pageLinks, positionIn, select, timesIn } from '../filters.ts';
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
    const { filter, problems } = filterOf(query, now);
    const after = positionIn('executions', query);
    const { content, next } =
      problems.length > 0
        ? { content: [], next: undefined }
        : await listExecutions(database, filter, { after, size: pageSize });
    const inputs = (names: FilterName[]) =>
      names.map((name) => input({ name, label: textFilters[name], value: query.get(name) ?? '' }));
    const main = html`<h1>Executions</h1>
${filters(
  [
    select({
      ...{ name: 'status', label: 'Status', value: filter.status ?? '' },
      options: [['', 'any'], ...executionStatuses.map((one): [string, string] => [one, one])],
    }),
    ...inputs(firstFilters),
  ],
  { fields: inputs(moreFilters), isOpen: moreFilters.some((name) => query.get(name)) },
)}
${problems.map((problem) => html`<p class="notice error">${problem}</p>`)}
${table(content, {
  caption: 'Executions, newest first',
  empty: next
    ? 'There is none among those searched; the next page continues.'
    : 'There are no matching executions.',
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
    { name: 'Workspace', kind: 'keep', cell: ({ workspace }) => workspace.name },
    { name: 'Revision', cell: ({ revision }) => revision },
  ],
})}
${pageLinks('executions', query, next)}`;
    return { title: 'Executions', main };
  },
};

/** The filters besides the status, by the name of their option of the command. */
const textFilters = {
  definition: 'Definition (name or id)',
  revision: 'Revision of the definition',
  workspace: 'Workspace (name or id)',
  record: 'Record (id)',
  since: 'Started since',
  until: 'Started before',
  'ended-since': 'Ended since',
  'ended-until': 'Ended before',
  error: 'Error',
  text: 'Text in parameters',
};

type FilterName = keyof typeof textFilters;
const firstFilters: FilterName[] = ['definition', 'since', 'error', 'text'];
const moreFilters = (Object.keys(textFilters) as FilterName[]).filter((name) => !firstFilters.includes(name));

/** The filter that a query asks for, and what is wrong with it. */
function filterOf(query: URLSearchParams, now: Date): { filter: ExecutionFilter; problems: string[] } {
  const { timeOf: timeIn, problems } = timesIn(query, now);
  const textOf = (name: FilterName) => query.get(name)?.trim() || undefined;
  const recordId = textOf('record')?.toLowerCase();
  if (recordId !== undefined && !isUuid(recordId)) problems.push('Record: it must be an id.');
  const definition = textOf('definition');
  const revision = textOf('revision');
  if (revision !== undefined && definition === undefined) problems.push('A revision needs its definition.');
  const filter = {
    ...{ status: oneOf(executionStatuses, query.get('status')), definition, revision, recordId },
    ...{ workspace: textOf('workspace'), error: textOf('error'), text: textOf('text') },
    ...{
      createdSince: timeIn('since', textFilters['since']),
      createdUntil: timeIn('until', textFilters['until']),
    },
    ...{
      endedSince: timeIn('ended-since', textFilters['ended-since']),
      endedUntil: timeIn('ended-until', textFilters['ended-until']),
    },
  };
  return { filter, problems };
}

const durationOf = ({ createdAt, endedAt }: ListedExecution, now: Date) =>
  (endedAt ?? now).getTime() - createdAt.getTime();

function errorOf({ error, cause }: ListedExecution) {
  if (error === null) return '–';
  return html`<strong>${error}</strong>${cause && html` <span class="muted">${shortened(cause, causeLength)}</span>`}`;
}
