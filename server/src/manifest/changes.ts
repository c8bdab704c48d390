/** The kinds of object in a platform file, in the order in which they are applied. */
export const kinds = [
  'organization',
  'organization roles',
  'users',
  'mfa factors',
  'workspaces',
  'tables',
  'records',
  'workspace roles',
  'permissions',
  'memberships',
  'cases',
  'workflow definitions',
  'webhooks',
  'definition revisions',
] as const;
export type Kind = (typeof kinds)[number];

/** Numbers of objects. Only permissions are removed, when the file removes them from a role. */
export interface Counts {
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}
export type Changes = Record<Kind, Counts>;

export function noChanges(): Changes {
  const counts = kinds.map((kind) => [kind, { created: 0, updated: 0, removed: 0, unchanged: 0 }]);
  return Object.fromEntries(counts) as Changes;
}
