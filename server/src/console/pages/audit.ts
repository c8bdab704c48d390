import { html } from '../../domain/html.ts';
import { actorNamed, auditPosition, listAuditEntries } from '../../store/audit-list.ts';
import { filters, input, linkToPages, timesIn } from '../filters.ts';
import { formatDetails, timeOf } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';

const pageSize = 50;

/** Who changed what, as `wrp audit list` lists it. */
export const audit: ConsolePage = {
  path: '/audit',
  name: 'Audit',
  async show({ database, query, now }) {
    const textOf = (name: string) => query.get(name)?.trim() || undefined;
    const times = timesIn(query, now);
    const named = textOf('actor');
    const actor = named === undefined ? undefined : await actorNamed(database, named);
    if (named !== undefined && actor === undefined)
      times.problems.push(`Actor: several organizations have a user ${named}: use the user's id.`);
    const filter = {
      ...{ actor, action: textOf('action'), objectId: textOf('object') },
      ...{ since: times.timeOf('since', 'Since'), until: times.timeOf('until', 'Before') },
    };
    const after = auditPosition(textOf('after') ?? '');
    const entries =
      times.problems.length > 0
        ? []
        : await listAuditEntries(database, filter, { after, oldestFirst: false, size: pageSize });
    const field = (name: string, label: string) => input({ name, label, value: textOf(name) ?? '' });
    const main = html`<h1>Audit log</h1>
${filters([
  field('actor', 'Actor (e-mail, id or name)'),
  field('action', 'Action'),
  field('object', 'Object (id)'),
  field('since', 'Since'),
  field('until', 'Before'),
])}
${times.problems.map((problem) => html`<p class="notice error">${problem}</p>`)}
${table(entries, {
  caption: 'Changes, newest first',
  empty: 'There are no matching entries.',
  columns: [
    { name: 'Time (UTC)', kind: 'time', cell: ({ at }) => timeOf(at) },
    { name: 'Actor', heads: true, cell: ({ actor }) => actor.name ?? actor.id },
    { name: 'Action', cell: (entry) => entry.action },
    {
      name: 'Object',
      cell: ({ object: { kind, id, name } }) => html`${kind} <span class="mono">${id}</span> ${name}`,
    },
    { name: 'Source', cell: ({ source }) => source },
    { name: 'Details', kind: 'break', cell: ({ details, names }) => formatDetails(details, names) },
  ],
})}
${linkToPages(query, entries.length === pageSize ? entries.at(-1)?.cursor : undefined)}`;
    return { title: 'Audit log', main };
  },
};
