import type { Logger } from 'pino';
import { transact } from '../../postgres-client/index.ts';
import type { LinkAddresses } from '../domain/link-tokens.ts';
import type { JobData, RunningJob } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { recordEvent } from '../store/events.ts';
import { type FoundLink, findLink, markSent } from '../store/links.ts';
import { isSandboxWorkspace } from '../store/organization.ts';
import { identifiersOf, joinTrace, note } from '../tracing/trace.ts';
import { linkMessage, Undeliverable } from './message.ts';
import type { MailSender } from './senders.ts';

interface MailWorkerOptions {
  database: Database;
  sender: MailSender;
  linkAddresses: LinkAddresses;
  /** Whether this is the sandbox environment, whose messages are all marked. */
  sandbox: boolean;
  logger: Logger;
  now(): Date;
}

/**
 * Sends messages. After an error the queue retries the job, with the same Message-ID, because that is the job's id. An
 * undeliverable message is logged and discarded.
 */
export function mailWorker(options: MailWorkerOptions) {
  const { database, sender, logger, now } = options;
  return async ({ traceparent, ...mail }: JobData['mail'], { id }: RunningJob): Promise<void> => {
    joinTrace(traceparent, { ...identifiersOf('template' in mail ? mail.template : mail), jobId: id });
    note({ outcome: 'sent' });
    try {
      if ('template' in mail) return await sendLink(options, mail.template.linkId, id);
      const { workspaceId, executionId: _, ...content } = mail;
      const sandbox = options.sandbox || (await isSandboxWorkspace(database, workspaceId));
      await sender.send({ ...content, id, to: { name: null, address: mail.to }, sandbox }, now());
    } catch (error) {
      const discarded = error instanceof Undeliverable;
      if (discarded) note({ outcome: 'discarded' });
      const reason = error instanceof Error ? error.message : String(error);
      logger[discarded ? 'error' : 'warn']({ jobId: id, reason, discarded }, 'mail not sent');
      if (!discarded) throw error;
    }
  };
}

async function sendLink(
  { database, sender, linkAddresses, sandbox, now }: MailWorkerOptions,
  linkId: string,
  id: string,
): Promise<void> {
  const link = await findLink(database, linkId);
  if (!link?.contact.email || !isOpen(link, now())) {
    note({ outcome: 'link_unusable' });
    return;
  }
  const address = linkAddresses.of(linkId, link.secretSha256);
  if (!address) {
    throw new Undeliverable('The link was created with another server key.');
  }
  const to = { name: link.contact.name, address: link.contact.email };
  const content = linkMessage(link, address);
  await sender.send({ ...content, id, to, sandbox: sandbox || link.workspace.type === 'SANDBOX' }, now());
  await recordSent(database, link, now());
}

/** Records the event once, even if the message was sent several times. */
async function recordSent(database: Database, link: FoundLink, now: Date): Promise<void> {
  await transact(database, async (transaction) => {
    if (!(await markSent(transaction, link.id, now))) return;
    await recordEvent(transaction, {
      type: 'link.sent',
      organizationId: link.organization.id,
      workspaceId: link.workspace.id,
      data: { linkId: link.id, caseId: link.case.id, workflowDefinitionId: link.definition.id },
      now,
    });
  });
}

function isOpen({ expiresAt, usedAt, revokedAt }: FoundLink, now: Date): boolean {
  return !usedAt && !revokedAt && now < expiresAt;
}
