import { html } from '../../domain/html.ts';
import { isUuid } from '../../domain/identifiers.ts';
import type { DeliveryStatus } from '../../store/schema.ts';
import { listDeliveries, listEndpoints } from '../../store/webhook-log.ts';
import { filters, input, oneOf, pageLinks, positionIn, select } from '../filters.ts';
import { pill, timeOf } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';

const pageSize = 50;
const statuses: DeliveryStatus[] = ['requested', 'pending', 'delivered', 'failed', 'cancelled'];

/** Deliveries of webhooks and their endpoints, as `wrp webhook deliveries` and `endpoints` list them. */
export const deliveries: ConsolePage = {
  path: '/deliveries',
  name: 'Webhooks',
  async show({ database, query }) {
    const status = oneOf(statuses, query.get('status'));
    const [endpoint, type] = [query.get('endpoint') ?? '', query.get('type') ?? ''];
    const endpoints = await listEndpoints(database);
    const endpointId = isUuid(endpoint) ? endpoint : undefined;
    const { content, next } = await listDeliveries(
      database,
      { endpointId, status, type: type === '' ? undefined : type },
      { after: positionIn('deliveries', query), size: pageSize },
    );
    const main = html`<h1>Webhooks</h1>
${filters([
  select({
    ...{ name: 'status', label: 'Status', value: status ?? '' },
    options: [['', 'any'], ...statuses.map((one): [string, string] => [one, one])],
  }),
  select({
    ...{ name: 'endpoint', label: 'Endpoint', value: endpoint },
    options: [['', 'any'], ...endpoints.map(({ id, url }): [string, string] => [id, url])],
  }),
  input({ name: 'type', label: 'Event type', value: type }),
])}
${table(content, {
  caption: 'Deliveries, newest first',
  empty: 'There are no matching deliveries.',
  columns: [
    {
      ...{ name: 'Delivery', heads: true, kind: 'keep' },
      cell: ({ id }) => html`<a class="mono" href="/deliveries/${id}">${id}</a>`,
    },
    { name: 'Event', cell: ({ event }) => (event.test ? `${event.type} (test)` : event.type) },
    { name: 'Occurred (UTC)', kind: 'time', cell: ({ event }) => timeOf(event.createdDateTime) },
    { name: 'Status', cell: (entry) => pill(entry.status) },
    { name: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
    { name: 'Last', kind: 'break', cell: ({ lastOutcome }) => lastOutcome ?? '–' },
    {
      name: 'Next (UTC)',
      kind: 'time',
      cell: ({ nextAttemptAt }) => (nextAttemptAt ? timeOf(nextAttemptAt) : '–'),
    },
  ],
})}
${pageLinks('deliveries', query, next)}
<h2>Endpoints</h2>
${table(endpoints, {
  caption: 'Endpoints, oldest first',
  empty: 'There are no endpoints.',
  columns: [
    { name: 'URL', heads: true, kind: 'break', cell: ({ url }) => url },
    { name: 'Organization', cell: ({ organization }) => organization.name },
    {
      name: 'Event types',
      kind: 'break',
      cell: ({ events }) => (events === 'all' ? 'all' : events.join(' ')),
    },
    {
      name: 'State',
      cell: ({ disabledDateTime, disabledBy, failingSince }) =>
        disabledDateTime
          ? html`${disabledBy === 'receiver' ? 'responded 410' : 'disabled'} ${timeOf(disabledDateTime)}`
          : failingSince
            ? html`failing since ${timeOf(failingSince)}`
            : 'ok',
    },
    { name: 'Open', kind: 'number', cell: ({ open }) => open },
  ],
})}`;
    return { title: 'Webhooks', main };
  },
};
