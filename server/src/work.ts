import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BlobStore } from '../blobs/index.ts';
import type { InputSchemas } from '../json-schema/index.ts';
import type { Outbound } from '../outbound/index.ts';
import type { Config, EnvironmentName } from './config.ts';
import type { LinkAddresses } from './domain/link-tokens.ts';
import type { SweepReport } from './files/sweep.ts';
import { followedWorkers } from './jobs/followed-workers.ts';
import type { JobQueue } from './jobs/jobs.ts';
import {
  countingSender,
  type MailOutcome,
  type MailSender,
  outboxSender,
  smtpSender,
} from './mail/senders.ts';
import { mailWorker } from './mail/worker.ts';
import { type Maintenance, workers } from './maintenance/workers.ts';
import { scheduleRunner } from './schedules/runner.ts';
import { deriveKey, type ServerKey } from './security/server-key.ts';
import type { Database } from './store/database.ts';
import { dueWork } from './store/due-work.ts';
import type { ScheduleOutcome } from './store/schedules.ts';
import { deleteOldDeliveries, requestOverdue } from './store/webhook-deliveries.ts';
import { deleteExpiredKeys } from './store/webhook-keys.ts';
import type { ExecutionEnd } from './store/webhook-relay.ts';
import type { StartSpan } from './tracing/trace.ts';
import { deliveryWorker } from './webhooks/delivery.ts';
import { batchWorker } from './webhooks/delivery-batches.ts';
import { startRelay } from './webhooks/relay.ts';
import { signingKeys } from './webhooks/signing-keys.ts';
import { workflowWorkers } from './workflows/open.ts';
import { executionStarter } from './workflows/start.ts';
import type { Stepper } from './workflows/steps/stepper.ts';

interface WorkMetrics {
  /** Called after each sweep of blobs; without a report if it failed. */
  swept(environment: EnvironmentName, report: SweepReport | undefined): void;
  /** Called after each attempt to send a mail. */
  mailed(environment: EnvironmentName, outcome: MailOutcome): void;
  /** Called for each due time of a schedule. */
  scheduled(environment: EnvironmentName, outcome: ScheduleOutcome): void;
  hostsFailing(environment: EnvironmentName, count: number): void;
  /** Called with executions that have ended, each once in one of the processes. */
  ended(environment: EnvironmentName, executions: ExecutionEnd[]): void;
}

/** What the work of both environments has in common. */
export interface WorkingOptions {
  config: Config;
  logger: Logger;
  /** Undefined: OpenTelemetry is off. */
  startSpan?: StartSpan | undefined;
  now(): Date;
  /** The clock for webhook signatures; default: `now`. */
  signingTime?(): Date;
  /** The environments whose events can be polled for. Default: the sandbox. */
  pollable?: readonly EnvironmentName[];
  /** The public URL of each environment. */
  baseUrls: Record<EnvironmentName, string>;
  /** Counts the work. */
  metrics?: WorkMetrics | undefined;
  /** Maximum number of history entries of an execution. Default: 25,000. */
  maxHistoryEntries?: number | undefined;
}

const hour = 3_600_000;
/** How long completed deliveries of webhooks are kept. */
const deliveryRetentionMilliseconds = 30 * 24 * hour;
/** A delivery that is this late has lost its job. */
const overdueMilliseconds = 6 * hour;

export const pollableByDefault: readonly EnvironmentName[] = ['sandbox'];

interface WorkOptions extends WorkingOptions {
  name: EnvironmentName;
  serverKey: ServerKey;
  outbound: Outbound;
  /** Executions and webhooks have pools of their own, so that they and requests do not wait for each other. */
  databases: { own: Database; executions: Database; webhooks: Database };
  blobs: BlobStore;
  jobs: JobQueue;
  stepper: Stepper;
  schemas: InputSchemas;
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
  schemas,
  linkAddresses,
  logger: platformLogger,
  startSpan,
  now,
  signingTime = now,
  pollable = pollableByDefault,
  baseUrls,
  metrics,
  maxHistoryEntries,
  opened,
}: WorkOptions): Promise<void> {
  const sandbox = name === 'sandbox';
  const logger = platformLogger.child({ environment: name });
  const { identityProviderUrl, blobQuarantineDays, retention, storageQuota } = config;
  const mailer = mailSender(name, config, logger);
  // Mail waits in the queue, so this is no reason not to start. Both environments have the same mail server.
  if (!sandbox)
    mailer
      .check?.()
      .catch(({ message }: Error) => logger.warn({ reason: message }, 'the mail server cannot be used'));
  const sender = countingSender(mailer, (outcome) => metrics?.mailed(name, outcome));
  const mail = mailWorker({ database: databases.own, sender, linkAddresses, sandbox, logger, now });
  const workflows = workflowWorkers({
    database: databases.executions,
    blobs,
    jobs,
    outbound,
    baseUrl: baseUrls[name],
    storageQuota,
    callbackKeys: deriveKey(serverKey, name, 'callbacks'),
    stepper,
    maxHistoryEntries,
    onHostsFailing: (count) => metrics?.hostsFailing(name, count),
    logger,
    now,
  });
  opened.push(() => workflows.stop());
  const encryptionKeys = deriveKey(serverKey, name, 'webhook-keys');
  const { webhooks: database } = databases;
  const webhooks = {
    database,
    jobs,
    outbound,
    sandbox,
    logger,
    now,
    signingTime,
    keys: signingKeys({ database, encryptionKeys, now }),
    pollable: pollable.includes(name),
  };
  const maintenance: Maintenance = {
    requestOverdue: (at) =>
      requestOverdue(database, { now: at, dueBefore: new Date(at.getTime() - overdueMilliseconds) }),
    deleteOldDeliveries: (at) =>
      deleteOldDeliveries(database, new Date(at.getTime() - deliveryRetentionMilliseconds)),
    deleteExpiredKeys: (at) => deleteExpiredKeys(database, at),
  };
  const own = workers({
    database: databases.own,
    blobs,
    blobQuarantineDays,
    identityProviderUrl,
    retention,
    maintenance,
    logger,
    now,
    onSweep: (report) => metrics?.swept(name, report),
  });
  const schedules = scheduleRunner({
    database: databases.executions,
    startExecution: executionStarter({ jobs, schemas, now }),
    onResult: (outcome) => metrics?.scheduled(name, outcome),
    logger,
    now,
  });
  opened.push(() => schedules.stop());
  jobs.onRound(async () => {
    const due = await dueWork(databases.executions, now());
    // Many may be due at once: the round does not wait for them.
    if (due.schedules) void schedules.startDue();
    await workflows.round(due);
  });
  const relay = startRelay({ ...webhooks, onEnded: (ended) => metrics?.ended(name, ended) });
  opened.push(() => relay.stop());
  const each = { ...own, ...workflows.workers, 'webhook-delivery': deliveryWorker(webhooks), mail };
  const followed = followedWorkers(each, { environment: name, startSpan, logger });
  await jobs.work({ ...followed, 'webhook-delivery': batchWorker(webhooks, followed['webhook-delivery']) });
  workflows.watch();
}

function mailSender(environment: EnvironmentName, config: Config, logger: Logger): MailSender {
  const { smtpUrl, mailFrom: from } = config;
  if (smtpUrl) return smtpSender({ url: smtpUrl, from });
  const directory = join(config.dataDirectory, 'outbox');
  return outboxSender({ directory, environment, from, logger });
}
