// Generated from spec/ by `npm run generate`. Do not edit.
import { handlers as attachments } from './attachments.ts';
import { handlers as auth } from './auth.ts';
import { handlers as definitions } from './definitions.ts';
import { handlers as history } from './history.ts';
import { handlers as links } from './links.ts';
import { handlers as memberships } from './memberships.ts';
import { handlers as organization } from './organization.ts';
import { handlers as parameters } from './parameters.ts';
import { handlers as resources } from './resources.ts';
import { handlers as tables } from './tables.ts';
import { handlers as users } from './users.ts';
import { handlers as webhooks } from './webhooks.ts';
import { handlers as workflows } from './workflows.ts';

/** The handlers of every resource. */
export const registry = {
  attachments,
  auth,
  definitions,
  history,
  links,
  memberships,
  organization,
  parameters,
  resources,
  tables,
  users,
  webhooks,
  workflows,
};
