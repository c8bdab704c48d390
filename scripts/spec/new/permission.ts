import { permissions } from '../../../generated/operations.ts';
import { scopeOf } from '../../../server/src/domain/grants.ts';
import { suggestion } from '../../../spec/rules/nearest.js';
import { CommandError } from '../../command-line/command.ts';
import type { Draft } from './draft.ts';

/** @throws {CommandError} for a name that is neither a permission on workspaces nor a possible new one */
export function refusePermission(name: string): void {
  if (scopeOf(name) === 'workspace') return;
  const near = suggestion(name, permissions);
  if (isNewPermission(name) && near === '' && /^can_[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name)) return;
  const possible = permissions.filter((one) => scopeOf(one) === 'workspace');
  throw new CommandError(
    `"${name}" is no permission on workspaces; choose ${possible.join(' or ')}, or a new name such as can_edit_notes.${near}`,
  );
}

export function isNewPermission(name: string): boolean {
  return !(permissions as readonly string[]).includes(name);
}

/** Adds a permission on workspaces: to the table of the guide, and to the objects on which permissions are checked. */
export function draftPermission(draft: Draft, name: string, allows: string): void {
  draft.change('spec/guides/authentication.md', (text) =>
    text.replace(/(\| `can_\w+` \|.*\n)(?!\| `can_)/, `$1| \`${name}\` | ${allows} |\n`),
  );
  draft.change('server/src/domain/grants.ts', (text) =>
    text.replace(/(: Record<Permission, Scope> = \{\n[^}]*)\}/, `$1  ${name}: 'workspace',\n}`),
  );
}
