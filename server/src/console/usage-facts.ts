import { formatBytes } from '../domain/bytes.ts';
import type { Usage } from '../store/usage.ts';

/** What an organization stores, as names and texts. Estimated counts are marked with ~. @param quota bytes; null: none */
export function usageFacts(usage: Usage, quota: number | null): [name: string, text: string][] {
  const { attachments, resources, executions, estimated } = usage;
  const number = (count: number, name?: Usage['estimated'][number]) =>
    `${name && estimated.includes(name) ? '~' : ''}${count.toLocaleString('en')}`;
  const files = ({ count, bytes }: Usage['resources']) => `${number(count)} (${formatBytes(bytes)})`;
  const statuses = Object.entries(executions).map(
    ([status, count]) => `${number(count, 'executions')} ${status.toLowerCase()}`,
  );
  const stored = attachments.bytes + resources.bytes;
  const share = quota && Math.round((100 * stored) / quota);
  return [
    ['Users', number(usage.users, 'users')],
    [
      'Workspaces',
      `${number(usage.workspaces)}, the largest with ${number(usage.membersMax)} direct members`,
    ],
    ['Records', number(usage.records, 'records')],
    ['Attachments', files(attachments)],
    ['Resources', files(resources)],
    [
      'Storage',
      `${formatBytes(stored)}, ${quota === null ? 'no quota' : `${share} % of ${formatBytes(quota)}`}`,
    ],
    ['Executions', statuses.join(', ')],
    ['Links', number(usage.links, 'links')],
    ['Parameter sets', number(usage.parameterSets, 'parameterSets')],
    ['Events', number(usage.events, 'events')],
    ['Deliveries', number(usage.deliveries, 'deliveries')],
  ];
}
