import { html } from '../../domain/html.ts';
import { readWorkload } from '../../store/monitoring.ts';
import { formatCount } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';
import { workloadFacts } from '../workload-facts.ts';

/** The workload, as `wrp queue` prints it. */
export const queue: ConsolePage = {
  path: '/queue',
  name: 'Queue',
  async show({ database, now }) {
    const workload = await readWorkload(database, now);
    const main = html`<h1>Queue</h1>
<dl class="facts">${workloadFacts(workload).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>
${table(workload.failingDefinitions, {
  caption: 'Definitions with failures among the executions that ended within the last hour',
  empty: 'No execution failed within the last hour.',
  columns: [
    { name: 'Definition', heads: true, kind: 'break', cell: ({ name }) => name },
    { name: 'Failed', kind: 'number', cell: ({ failed }) => formatCount(failed) },
    { name: 'Ended', kind: 'number', cell: ({ ended }) => formatCount(ended) },
  ],
})}`;
    return { title: 'Queue', main };
  },
};
