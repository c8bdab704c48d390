import type { Contract } from '../../contract/source.ts';
import { contractPages, type DescribedRoute, permissionOf } from './contract-pages.ts';
import { type Overlay, operationTarget } from './overlay.ts';

/**
 * Prepends to each operation's description the permission that it requires, from `security`, and a link to the console.
 *
 * @param options.consoleLinks false for the console itself
 */
export function permissionsOverlay(contract: Contract, { consoleLinks }: { consoleLinks: boolean }): Overlay {
  const routes = contractPages(contract).groups.flatMap((group) => group.routes);
  return {
    overlay: '1.0.0',
    info: { title: 'Permissions, from security', version: '1.0.0' },
    actions: routes
      .filter(({ isEvent }) => !isEvent)
      .map((route) => ({
        target: operationTarget(route.path, route.method),
        update: { description: `${permissionLine(route, consoleLinks)}\n\n${route.operation.description}` },
      })),
  };
}

/** As Markdown: **Permission:** `can_manage_users`. */
export function permissionSentence(route: DescribedRoute): string {
  const permission = permissionOf(route.operation);
  if (permission === 'public') return '**Permission:** none, no token is needed';
  if (permission.length === 0) return '**Permission:** any valid token';
  return `**Permission:** ${permission.map((one) => `\`${one}\``).join(', ')}`;
}

function permissionLine(route: DescribedRoute, consoleLinks: boolean): string {
  const { tags, operationId } = route.operation;
  const permission = `${permissionSentence(route)} ([what it means](#/authentication))`;
  if (!consoleLinks) return permission;
  return `${permission} · [Try it in the console](/docs/console#/${tags[0]}/${operationId})`;
}
