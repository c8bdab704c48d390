import type { Logger } from 'pino';
import type { LinkAddresses } from '../domain/link-addresses.ts';
import type { JobData, RunningJob } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { recordEvent } from '../store/events.ts';
import { type FoundLink, findLink, markSent } from '../store/links.ts';
import { isSandboxWorkspace } from '../store/workspaces.ts';
import { linkMessage } from './link-message.ts';
import { Undeliverable } from './message.ts';
import type { MailSender } from './senders.ts';

export interface MailWorkerDependencies {
  database: Database;
  sender: MailSender;
  linkAddresses: LinkAddresses;
  /** Everything that leaves the sandbox is marked. */
  sandbox: boolean;
  logger: Logger;
  now(): Date;
}

/**
 * Sends messages. What the mail server does not take is tried again by the queue, as the same message: its
 * Message-ID is the job's. What will never be taken is logged and given up.
 */
export function mailWorker(dependencies: MailWorkerDependencies) {
  const { database, sender, logger, now } = dependencies;
  return async (mail: JobData['mail'], { id }: RunningJob): Promise<void> => {
    try {
      if ('template' in mail) return await sendLink(dependencies, mail.template.linkId, id);
      const { workspaceId, ...written } = mail;
      const sandbox = dependencies.sandbox || (await isSandboxWorkspace(database, workspaceId));
      await sender.send({ ...written, id, to: { name: null, address: mail.to }, sandbox }, now());
    } catch (error) {
      const givenUp = error instanceof Undeliverable;
      logger[givenUp ? 'error' : 'warn']({ jobId: id, reason: reasonOf(error), givenUp }, 'mail not sent');
      if (!givenUp) throw error;
    }
  };
}

async function sendLink(
  { database, sender, linkAddresses, sandbox, logger, now }: MailWorkerDependencies,
  linkId: string,
  id: string,
): Promise<void> {
  const link = await findLink(database, linkId);
  if (!link?.contact.email || !isOpen(link, now())) {
    logger.info({ jobId: id, linkId }, 'mail not sent: its link cannot be used any more');
    return;
  }
  if (!link.secretSha256.equals(linkAddresses.digestOf(linkId))) {
    throw new Undeliverable('The link was made with another server key.');
  }
  const to = { name: link.contact.name, address: link.contact.email };
  const written = linkMessage(link, linkAddresses.of(linkId));
  await sender.send({ ...written, id, to, sandbox: sandbox || link.workspace.type === 'SANDBOX' }, now());
  await tellSent(database, link, now());
}

/** Once, however often the message had to be sent. */
async function tellSent(database: Database, link: FoundLink, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
