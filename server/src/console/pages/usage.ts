import { html } from '../../domain/html.ts';
import { usageOf } from '../../store/usage.ts';
import { formatCount } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { usageFacts } from '../usage-facts.ts';

/** Rows of a table that are counted, and of a sample of a larger one. Fewer than for `wrp usage`: a page takes 50 ms. */
const maxCounted = 20_000;

/** What each organization stores, as `wrp usage` prints it. */
export const usage: ConsolePage = {
  path: '/usage',
  name: 'Usage',
  async show({ database, quota = null }) {
    const organizations = await usageOf(database, maxCounted);
    const main = html`<h1>Usage</h1>
<p class="muted">Counts in tables of more than ${formatCount(maxCounted)} rows are estimated from a sample and marked with ~. <code>wrp usage</code> reads more rows.</p>
${organizations.length === 0 && html`<p>There are no organizations.</p>`}
${organizations.map(
  (of) => html`<h2>${of.organization.name}</h2>
<p class="mono muted">${of.organization.id}</p>
<dl class="facts">${usageFacts(of, quota).map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`,
)}`;
    return { title: 'Usage', main };
  },
};
