import { type Overlay, operationTarget } from '../../contract/overlay.ts';
import type { Contract } from '../../contract/source.ts';
import { contractPages, type DescribedRoute, permissionOf } from './contract-pages.ts';

/** Prepends to each operation's description the permission that it requires, from `security`. */
export function permissionsOverlay(contract: Contract): Overlay {
  const routes = contractPages(contract).groups.flatMap((group) => group.routes);
  return {
    overlay: '1.0.0',
    info: { title: 'Permissions, from security', version: '1.0.0' },
    actions: routes
      .filter(({ isEvent }) => !isEvent)
      .map((route) => ({
        target: operationTarget(route.path, route.method),
        update: {
          description: `${permissionSentence(route)} ([what it means](#/authentication))\n\n${route.operation.description}`,
        },
      })),
  };
}

/** As Markdown: **Permission:** `can_manage_users`. */
export function permissionSentence({ operation }: Pick<DescribedRoute, 'operation'>): string {
  const permission = permissionOf(operation);
  if (permission === 'public') return '**Permission:** No token needed';
  if (permission.length === 0) return '**Permission:** Any valid token';
  return `**Permission:** ${permission.map((one) => `\`${one}\``).join(', ')}`;
}
