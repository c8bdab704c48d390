import type { BearerTokens } from '../domain/bearer-tokens.ts';
import type { LinkAddresses } from '../domain/link-addresses.ts';
import type { Handler, OperationId } from '../http/operation.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { StartExecution } from '../workflows/start.ts';
import { attachmentHandlers, type LinkSigner } from './attachments.ts';
import { authHandlers } from './auth.ts';
import { linkHandlers } from './links.ts';
import { membershipHandlers } from './memberships.ts';
import { organizationHandlers } from './organization.ts';
import { parameterHandlers } from './parameters.ts';
import { resourceHandlers } from './resources.ts';
import { userHandlers } from './users.ts';
import { webhookHandlers } from './webhooks.ts';
import { type ResultLinkSigner, workflowHandlers } from './workflows.ts';

/** One handler for each operation of the contract: what is missing does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

export interface HandlerDependencies {
  tokens: BearerTokens;
  jobs: Jobs;
  linkTo: LinkSigner;
  linkToResult: ResultLinkSigner;
  startExecution: StartExecution;
  linkAddresses: LinkAddresses;
  /** Bytes that an organization may store; undefined: any number. */
  storageQuota: number | undefined;
  now(): Date;
}

export function handlers(dependencies: HandlerDependencies): Handlers {
  return {
    ...attachmentHandlers(dependencies),
    ...authHandlers(dependencies),
    ...linkHandlers(dependencies),
    ...membershipHandlers(dependencies),
    ...organizationHandlers(),
    ...parameterHandlers(dependencies),
    ...resourceHandlers(dependencies),
    ...userHandlers(dependencies),
    ...webhookHandlers(dependencies),
    ...workflowHandlers(dependencies),
  };
}
