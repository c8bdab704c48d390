import type { OperationId, Resource } from '../../contract/index.ts';
import type { BearerTokens } from '../domain/bearer-tokens.ts';
import type { LinkAddresses } from '../domain/link-tokens.ts';
import type { Handler, HandlersOf } from '../http/operation.ts';
import type { OtherEnvironment } from '../http/other-environment.ts';
import type { UrlSigner } from '../http/signed-urls.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { EventPolling } from '../webhooks/event-polling.ts';
import type { StartExecution } from '../workflows/start.ts';
import type { LinkProblems } from './links.ts';
import { registry } from './registry.ts';

/** One handler for each operation of the contract: what is missing does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

export interface HandlerDependencies {
  tokens: BearerTokens;
  otherEnvironment: OtherEnvironment | undefined;
  jobs: Jobs;
  signer: UrlSigner;
  startExecution: StartExecution;
  linkAddresses: LinkAddresses;
  linkProblems: LinkProblems;
  /** Bytes that an organization may store; undefined: any number. */
  storageQuota: number | undefined;
  /** Undefined: the events of the environment cannot be polled for. */
  eventPolling: EventPolling | undefined;
  now(): Date;
}

export function handlers(dependencies: HandlerDependencies): Handlers {
  const all = Object.values(registry satisfies Registry).map((make) => make(dependencies));
  return Object.assign({}, ...all);
}

type Registry = { [R in Resource]: (dependencies: HandlerDependencies) => HandlersOf<R> };
