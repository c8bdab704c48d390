import { type Html, html } from '../../domain/html.ts';
import { type ListedLink, listLinks, revokeLink } from '../../store/link-list.ts';
import { filters, pageLinks, positionIn, select } from '../filters.ts';
import { pill, timeOf } from '../formats.ts';
import type { ConsolePage } from '../page.ts';
import { table } from '../table.ts';

const pageSize = 50;

/** Single-use links, as `wrp link list` lists them; and `revoke`. */
export const links: ConsolePage = {
  path: '/links',
  command: 'link',
  name: 'Links',
  async show({ database, query, now, form }) {
    const all = query.get('show') === 'all';
    const after = positionIn('links', query);
    const { content, next } = await listLinks(database, { all }, { after, size: pageSize }, now);
    const revoke = ({ id }: ListedLink): Html | undefined =>
      form?.('revoke', {
        ...{ name: 'Revoke', of: id, button: 'Revoke the link', isDangerous: true, back: '/links', id },
        effect: 'It can no longer start a workflow.',
      });
    const main = html`<h1>Single-use links</h1>
${filters([
  select({
    name: 'show',
    label: 'Show',
    value: all ? 'all' : '',
    options: [
      ['', 'usable links'],
      ['all', 'all links'],
    ],
  }),
])}
${table(content, {
  caption: 'Links, newest first',
  empty: `There are no ${all ? '' : 'usable '}links.`,
  columns: [
    { name: 'Link', heads: true, kind: 'keep', cell: ({ id }) => html`<span class="mono">${id}</span>` },
    { name: 'State', cell: ({ state }) => pill(state) },
    { name: 'Case', kind: 'break', cell: (link) => link.case.name },
    { name: 'Workflow', cell: ({ workflowDefinition }) => workflowDefinition.name },
    { name: 'Created by', cell: ({ createdBy }) => createdBy.email },
    { name: 'Created (UTC)', kind: 'time', cell: ({ createdDateTime }) => timeOf(createdDateTime) },
    { name: 'Expires (UTC)', kind: 'time', cell: ({ expiresAt }) => timeOf(expiresAt) },
    {
      name: 'Mailed (UTC)',
      kind: 'time',
      cell: ({ sentDateTime }) => (sentDateTime ? timeOf(sentDateTime) : '–'),
    },
    {
      name: 'Execution',
      kind: 'keep',
      cell: ({ workflowId }) => workflowId && html`<a href="/executions/${workflowId}">its execution</a>`,
    },
    ...(form ? [{ name: 'Actions', cell: (link: ListedLink) => link.state === 'open' && revoke(link) }] : []),
  ],
})}
${pageLinks('links', query, next)}`;
    return { title: 'Links', main };
  },
  actions: {
    async revoke({ change, id, now }) {
      switch (await change((transaction) => revokeLink(transaction, { id }, now))) {
        case 'unknown':
          return undefined;
        case 'used':
          return { refused: 'The link was already used: cancel the execution that it started instead.' };
        case 'revoked':
          return { done: 'The link is revoked.' };
        case 'already_revoked':
          return { done: 'The link was already revoked.' };
      }
    },
  },
};
