import { randomUUID } from 'node:crypto';
import type { LinkRequest, WorkflowLink } from '../../../generated/types.ts';
import { messageAt, Refused, refuse } from '../../contract/index.ts';
import type { InputProblem } from '../../json-schema/index.ts';
import type { Caller } from '../domain/caller.ts';
import type { LinkAddresses } from '../domain/link-tokens.ts';
import type { ResponseStorage } from '../http/idempotency.ts';
import type { HandlersOf } from '../http/operation.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { listCases } from '../store/cases.ts';
import type { Database } from '../store/database.ts';
import { recordEvent } from '../store/events.ts';
import * as links from '../store/links.ts';
import { currentTraceparent } from '../tracing/trace.ts';
import { paged } from './paged.ts';

interface LinkDependencies {
  linkAddresses: LinkAddresses;
  jobs: Jobs;
  linkProblems: LinkProblems;
  now(): Date;
}

/** The errors in the parameters of a new link that the person could not correct in its form. */
export type LinkProblems = (
  transaction: Database,
  link: Pick<links.FoundLink, 'definition' | 'parameters'>,
) => Promise<InputProblem[]>;

export const handlers = ({
  linkAddresses,
  jobs,
  linkProblems,
  now,
}: LinkDependencies): HandlersOf<'links'> => {
  const make = async (database: Database, body: LinkRequest, caller: Caller, mailed: boolean) => {
    const at = now();
    const id = randomUUID();
    const { caseId, workflowDefinitionId, parametersId } = body;
    const { organizationId, userId: createdBy } = caller;
    const named = { id, caseId, workflowDefinitionId, parametersId, organizationId, createdBy };
    const link = linkAddresses.create(id);
    const secretSha256 = linkAddresses.digestOf(link);
    const problemsOf = linkProblems.bind(undefined, database);
    const outcome = await links.createLink(database, { ...named, secretSha256, now: at, mailed, problemsOf });
    if (outcome.kind === 'mail_limit_reached') throw mailLimitExceeded(outcome.until, at);
    if (outcome.kind !== 'created') return refusalOf(outcome);
    const { workspaceId, expiresAt } = outcome;
    const data = { linkId: id, ...body, expiresAt: expiresAt.toISOString() };
    await recordEvent(database, { type: 'link.created', organizationId, workspaceId, data, now: at });
    const mail = { template: { kind: 'link' as const, linkId: id }, traceparent: currentTraceparent() };
    if (mailed) await jobs.enqueue(database, 'mail', mail);
    const { linkId, expiresAt: validUntil } = data;
    return { status: 201 as const, body: { link, linkId, expiresAt: validUntil } };
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

/** The body refers to the parameters: what is wrong in them follows in the message. */
const mismatch = 'must be a parameter set that matches the input schema';

function refusalOf(outcome: Exclude<links.LinkCreation, { kind: 'created' | 'mail_limit_reached' }>) {
  switch (outcome.kind) {
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
    case 'parameters_mismatch': {
      const errors = outcome.problems.map(({ pointer, message }) => ({
        code: 'parameters_mismatch' as const,
        message: messageAt(
          '/parametersId',
          `${mismatch}: ${pointer === '' ? message : messageAt(pointer, message)}`,
        ),
        pointer: '/parametersId',
      }));
      return { status: 400 as const, errors };
    }
    case 'no_contact': {
      const message = 'The case has no contact with an email address.';
      return refuse(400, 'case_has_no_contact', { message, pointer: '/caseId' });
    }
  }
}

/** Stores a response with the digest of its link's secret instead of the link, which is recomputed from both. */
export function linkResponseStorage(addresses: LinkAddresses): ResponseStorage {
  return {
    keep({ link, ...kept }: WorkflowLink) {
      return { ...kept, secretSha256: addresses.digestOf(link).toString('hex') };
    },
    restore({ secretSha256, ...kept }: Omit<WorkflowLink, 'link'> & { secretSha256?: string }) {
      // Earlier releases stored no digest; nor does it help if its key is no longer accepted.
      const digest = secretSha256 === undefined ? undefined : Buffer.from(secretSha256, 'hex');
      const link = (digest && addresses.of(kept.linkId, digest)) ?? addresses.create(kept.linkId);
      return { link, ...kept };
    },
  };
}
