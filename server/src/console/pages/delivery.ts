import { html } from '../../domain/html.ts';
import { listAttempts, requestRedelivery } from '../../store/webhook-log.ts';
import { formatCount, timeOf } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';

/** The attempts of a delivery, as `wrp webhook attempts` lists them; and `redeliver`. */
export const delivery: ConsolePage = {
  path: '/deliveries/:id',
  command: 'webhook',
  async show({ database, id, form }) {
    const attempts = await listAttempts(database, id);
    if (!attempts) return undefined;
    const main = html`<p><a href="/deliveries">Deliveries</a></p>
<h1>Delivery <span class="mono">${id}</span></h1>
${form?.('redeliver', {
  ...{ name: 'Send again', button: 'Send the delivery again', back: `/deliveries/${id}` },
  effect: 'Its endpoint receives the event once more.',
})}
${table(attempts, {
  caption: 'Attempts',
  empty: 'There was no attempt yet.',
  columns: [
    { name: 'Number', heads: true, cell: ({ number }) => number },
    { name: 'Time (UTC)', kind: 'time', cell: ({ at }) => timeOf(at) },
    { name: 'Milliseconds', kind: 'number', cell: ({ milliseconds }) => formatCount(milliseconds) },
    { name: 'Status', cell: ({ status }) => status ?? '–' },
    { name: 'Error', kind: 'break', cell: ({ error }) => error ?? '–' },
  ],
})}`;
    return { title: 'Delivery', main };
  },
  actions: {
    async redeliver({ database, change, id, now }) {
      if (!(await listAttempts(database, id))) return undefined;
      const sent = await change((transaction) => requestRedelivery(transaction, { deliveryIds: [id] }, now));
      return sent.length > 0
        ? { done: 'Queued. The platform sends it while it is running.' }
        : { refused: 'The endpoint is disabled: enable it first, with wrp webhook enable.' };
    },
  },
};
