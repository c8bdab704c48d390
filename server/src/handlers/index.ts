import type { BearerTokens } from '../domain/bearer-tokens.ts';
import type { Handler, OperationId } from '../http/operation.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { attachmentHandlers, type LinkSigner } from './attachments.ts';
import { authHandlers } from './auth.ts';
import { membershipHandlers } from './memberships.ts';
import { organizationHandlers } from './organization.ts';
import { parameterHandlers } from './parameters.ts';
import { resourceHandlers } from './resources.ts';
import { userHandlers } from './users.ts';

/** Operations of the contract that are not served yet: they answer 404. The list may only shrink. */
export const unserved = [
  'cancelWorkflow',
  'createLink',
  'getWebhookKey',
  'getWorkflow',
  'getWorkflowResult',
  'sendLink',
  'startWorkflow',
] as const satisfies OperationId[];

/** One handler for each operation that is served: what is missing does not compile. */
export type Handlers = { [Id in Exclude<OperationId, (typeof unserved)[number]>]: Handler<Id> };

export interface HandlerDependencies {
  tokens: BearerTokens;
  jobs: Jobs;
  linkTo: LinkSigner;
  now(): Date;
}

export function handlers(dependencies: HandlerDependencies): Handlers {
  return {
    ...attachmentHandlers(dependencies),
    ...authHandlers(dependencies),
    ...membershipHandlers(dependencies),
    ...organizationHandlers(),
    ...parameterHandlers(dependencies),
    ...resourceHandlers(dependencies),
    ...userHandlers(dependencies),
  };
}
