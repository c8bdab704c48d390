/** The roles that every workspace has, each with its permissions on the workspace as a whole. */
export const builtInRoles = [
  {
    name: 'Viewer',
    description: 'Sees the workspace and what is attached to its records.',
    relations: ['can_view_workspace', 'can_read_attachments'],
  },
  {
    name: 'Editor',
    description: 'Works on the records and their attachments.',
    relations: ['can_view_workspace', 'can_read_attachments', 'can_edit_attachments', 'can_edit_data'],
  },
  {
    name: 'Manager',
    description: 'Works on the records and decides who is a member.',
    relations: [
      'can_view_workspace',
      'can_manage_workspace_access',
      'can_read_attachments',
      'can_edit_attachments',
      'can_edit_data',
    ],
  },
] as const;

export type BuiltInRoleName = (typeof builtInRoles)[number]['name'];

export function isBuiltInRole(name: string): name is BuiltInRoleName {
  return builtInRoles.some((role) => role.name === name);
}
