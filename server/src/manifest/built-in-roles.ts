/** The roles of every workspace, with their permissions on the whole workspace. */
export const builtInRoles = [
  {
    name: 'Viewer',
    description: 'Views the workspace and the attachments of its records.',
    relations: ['can_view_workspace', 'can_read_attachments'],
  },
  {
    name: 'Editor',
    description: 'Edits records and their attachments.',
    relations: ['can_view_workspace', 'can_read_attachments', 'can_edit_attachments', 'can_edit_data'],
  },
  {
    name: 'Manager',
    description: 'Edits records and manages members.',
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
