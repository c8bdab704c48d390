import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { SweepReport } from './blobs/sweep.ts';
import type { Config, EnvironmentName } from './config.ts';
import type { LinkAddresses } from './domain/link-addresses.ts';
import type { JobQueue } from './jobs/jobs.ts';
import { type MailSender, outboxSender, smtpSender } from './mail/senders.ts';
import { mailWorker } from './mail/worker.ts';
import { workers } from './maintenance/workers.ts';
import type { Outbound } from './outbound/outbound.ts';
import { deriveKey } from './security/server-key.ts';
import type { Database } from './store/database.ts';
import { openWebhooks } from './webhooks/webhooks.ts';
import { workflowWorkers } from './workflows/open.ts';
import type { Stepper } from './workflows/steps/stepper.ts';

/** What the work of both environments has in common. */
export interface WorkingOptions {
  config: Config;
  logger: Logger;
  now(): Date;
  /** The clock for webhook signatures; default: `now`. */
  signingTime?(): Date;
  /** The environments whose events can be polled for. Default: the sandbox. */
  pollable?: readonly EnvironmentName[];
  /** The public URL of each environment. */
  baseUrls: Record<EnvironmentName, string>;
  /** Called after each sweep of blobs; without a report if it failed. */
  onSweep?: ((environment: EnvironmentName, report: SweepReport | undefined) => void) | undefined;
  /** Maximum number of history entries of an execution. Default: 25,000. */
  maxHistoryEntries?: number | undefined;
}

export const pollableByDefault: readonly EnvironmentName[] = ['sandbox'];

interface WorkOptions extends WorkingOptions {
  name: EnvironmentName;
  serverKey: Buffer;
  outbound: Outbound;
  /** Executions and webhooks have pools of their own, so that they and requests do not wait for each other. */
  databases: { own: Database; executions: Database; webhooks: Database };
  blobs: BlobStore;
  jobs: JobQueue;
  stepper: Stepper;
  linkAddresses: LinkAddresses;
  /** What is open so far, to be closed in reverse order. */
  opened: (() => Promise<unknown>)[];
}

/** Starts the workers of one environment: executions, webhooks, mail and maintenance. */
export async function startWork({
  name,
  config,
  serverKey,
  outbound,
  databases,
  blobs,
  jobs,
  stepper,
  linkAddresses,
  logger,
  now,
  signingTime = now,
  pollable = pollableByDefault,
  baseUrls,
  onSweep,
  maxHistoryEntries,
  opened,
}: WorkOptions): Promise<void> {
  const sandbox = name === 'sandbox';
  const { identityProviderUrl, blobQuarantineDays, retention, storageQuota } = config;
  const sender = mailSender(name, config, logger);
  const mail = mailWorker({ database: databases.own, sender, linkAddresses, sandbox, logger, now });
  const workflows = workflowWorkers({
    ...{ database: databases.executions, blobs, jobs, outbound, baseUrl: baseUrls[name], storageQuota },
    ...{ callbackKey: deriveKey(serverKey, name, 'callbacks'), stepper, maxHistoryEntries, logger, now },
  });
  opened.push(() => workflows.stop());
  const encryptionKey = deriveKey(serverKey, name, 'webhook-keys');
  const webhooks = openWebhooks({
    ...{ database: databases.webhooks, jobs, outbound, encryptionKey, sandbox, logger, now, signingTime },
    pollable: pollable.includes(name),
  });
  opened.push(() => webhooks.stop());
  const { maintenance } = webhooks;
  const own = workers({
    ...{
      database: databases.own,
      blobs,
      blobQuarantineDays,
      identityProviderUrl,
      retention,
      maintenance,
      now,
    },
    logger: logger.child({ environment: name }),
    onSweep: (report) => onSweep?.(name, report),
  });
  await jobs.work({ ...own, ...workflows.workers, ...webhooks.workers, mail });
  workflows.watch();
  webhooks.start();
}

function mailSender(environment: EnvironmentName, config: Config, logger: Logger): MailSender {
  const { smtpUrl, mailFrom: from } = config;
  if (smtpUrl) return smtpSender({ url: smtpUrl, from });
  const directory = join(config.dataDirectory, 'outbox');
  return outboxSender({ directory, environment, from, logger });
}
