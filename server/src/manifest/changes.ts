/** The kinds of thing that a platform file declares, in the order in which they are applied. */
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

/** How many there are of each; a permission is removed when its role is declared without it. */
export interface Counts {
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}
export type Changes = Record<Kind, Counts>;

export function noChanges(): Changes {
  const none = kinds.map((kind): [Kind, Counts] => [
    kind,
    { created: 0, updated: 0, removed: 0, unchanged: 0 },
  ]);
  return Object.fromEntries(none) as Changes;
}
