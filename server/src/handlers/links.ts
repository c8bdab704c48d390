import { randomUUID } from 'node:crypto';
import type { LinkRequest, WorkflowLink } from '../../../generated/types.ts';
import { Refused, refuse } from '../../contract/index.ts';
import type { Caller } from '../domain/caller.ts';
import type { LinkAddresses } from '../domain/link-tokens.ts';
import type { ResponseStorage } from '../http/idempotency.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { listCases } from '../store/cases.ts';
import type { Database } from '../store/database.ts';
import { recordEvent } from '../store/events.ts';
import * as links from '../store/links.ts';
import { paged } from './paged.ts';

interface LinkDependencies {
  linkAddresses: LinkAddresses;
  jobs: Jobs;
  now(): Date;
}

export const handlers = ({ linkAddresses, jobs, now }: LinkDependencies): HandlersOf<'links'> => {
  const make = async (database: Database, body: LinkRequest, caller: Caller, mailed: boolean) => {
    const at = now();
    const id = randomUUID();
    const { caseId, workflowDefinitionId, parametersId } = body;
    const { organizationId, userId: createdBy } = caller;
    const named = { id, caseId, workflowDefinitionId, parametersId, organizationId, createdBy };
    const secretSha256 = linkAddresses.digestOf(id);
    const outcome = await links.createLink(database, { ...named, secretSha256, now: at, mailed });
    if (outcome.kind === 'mail_limit_reached') throw mailLimitExceeded(outcome.until, at);
    if (outcome.kind !== 'created') return refusalOf(outcome.kind);
    const { workspaceId, expiresAt } = outcome;
    const data = { linkId: id, ...body, expiresAt: expiresAt.toISOString() };
    await recordEvent(database, { type: 'link.created', organizationId, workspaceId, data, now: at });
    if (mailed) await jobs.enqueue(database, 'mail', { template: { kind: 'link', linkId: id } });
    return { status: 201 as const, body: { link: linkAddresses.of(id) } };
  };

  return {
    createLink: ({ body, caller, database }) => make(database, body, caller, false),
    sendLink: ({ body, caller, database }) => make(database, body, caller, true),

    async listCases({ query, caller, database }) {
      return paged('cases', query, (page) => listCases(database, caller, page));
    },
  };
};

/** Thrown, not returned: what is undone does not use the Idempotency-Key, so that the same request can be repeated. */
function mailLimitExceeded(until: Date, now: Date): Refused {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  return new Refused(refuse(429, 'mail_limit_exceeded', { pointer: '/caseId' }), {
    'Retry-After': String(seconds),
  });
}

function refusalOf(kind: Exclude<links.LinkCreation['kind'], 'created' | 'mail_limit_reached'>) {
  switch (kind) {
    case 'unknown_case':
      return refuse(404, 'case_not_found', { pointer: '/caseId' });
    case 'unknown_parameters':
      return refuse(404, 'parameters_not_found', { pointer: '/parametersId' });
    case 'case_in_other_workspace': {
      const message = 'The case belongs to another workspace than the workflow definition.';
      return refuse(400, 'link_objects_mismatch', { message, pointer: '/caseId' });
    }
    case 'parameters_of_other_definition': {
      const message = 'The parameter set belongs to another workflow definition.';
      return refuse(400, 'link_objects_mismatch', { message, pointer: '/parametersId' });
    }
    case 'no_contact': {
      const message = 'The case has no contact with an email address.';
      return refuse(400, 'case_has_no_contact', { message, pointer: '/caseId' });
    }
  }
}

/** Stores a response with a link as the identifier of the link, from which the link is recomputed. */
export function linkResponseStorage(addresses: LinkAddresses): ResponseStorage {
  return {
    keep: (body) => ({ linkId: addresses.idIn((body as WorkflowLink).link) }),
    restore: (kept) => ({ link: addresses.of((kept as { linkId: string }).linkId) }) satisfies WorkflowLink,
  };
}
