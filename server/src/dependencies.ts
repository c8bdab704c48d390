import { join } from 'node:path';
import type { Logger } from 'pino';
import { bindBlobs } from './blobs/binding.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openLocalBlobs } from './blobs/local.ts';
import type { SweepReport } from './blobs/sweep.ts';
import { blobDirectory, type Config, type EnvironmentName, environmentNames } from './config.ts';
import { type LinkAddresses, linkAddresses, linkPath } from './domain/link-addresses.ts';
import type { Pool } from './isolation/pool.ts';
import { type JobQueue, openJobs } from './jobs/jobs.ts';
import { type MailSender, outboxSender, smtpSender } from './mail/senders.ts';
import { mailWorker } from './mail/worker.ts';
import { workers } from './maintenance/workers.ts';
import { createOutbound, type Outbound } from './outbound/outbound.ts';
import { type PostgresServer, startPostgres } from './postgres/server.ts';
import { deriveKey, openServerKey } from './security/server-key.ts';
import { type Database, openDatabase } from './store/database.ts';
import { findDocument } from './store/definitions.ts';
import { migrate } from './store/migrate.ts';
import type { OnStatement } from './store/named-client.ts';
import { openWebhooks } from './webhooks/webhooks.ts';
import { type InputSchemas, inputSchemas, openSchemaPool } from './workflows/input-schema.ts';
import { workflowWorkers } from './workflows/open.ts';
import { openStepper } from './workflows/steps/stepper.ts';

/** The resources of one environment, none of them shared with the other. */
export interface EnvironmentDependencies {
  name: EnvironmentName;
  database: Database;
  blobs: BlobStore;
  jobs: JobQueue;
  /** The URLs of its single-use links. */
  linkAddresses: LinkAddresses;
  schemas: InputSchemas;
}

export interface Dependencies {
  environments: EnvironmentDependencies[];
  serverKey: Buffer;
  /** Closes everything in reverse order, even if some of it fails. */
  close(): Promise<void>;
}

/** Options for opening the dependencies. */
export interface OpeningOptions {
  config: Config;
  logger: Logger;
  /** Called with a line about slow steps. */
  progress(line: string): void;
  now(): Date;
  /** The clock for webhook signatures; default: `now`. */
  signingTime?(): Date;
  /** The public URL of each environment. */
  baseUrls: Record<EnvironmentName, string>;
  /** Called for every statement. */
  onStatement?: OnStatement | undefined;
  /** Called after each sweep of blobs; without a report if it failed. */
  onSweep?: ((environment: EnvironmentName, report: SweepReport | undefined) => void) | undefined;
  /** Maximum number of history entries of an execution. Default: 25,000. */
  maxHistoryEntries?: number | undefined;
}

/** What is open so far, to be closed in reverse order. */
interface Opening extends OpeningOptions {
  opened: (() => Promise<unknown>)[];
}

/**
 * Opens everything that the platform needs from outside its process: database, files, jobs, keys.
 *
 * @throws an error with one line for the operator; nothing is left open
 */
export async function openDependencies(options: OpeningOptions): Promise<Dependencies> {
  const { config } = options;
  const opening: Opening = { ...options, opened: [] };
  const close = () => endAll(opening.opened);
  try {
    const connection = await openServer(opening);
    const serverKey = await openServerKey(config.dataDirectory, config.serverKey);
    const outbound = createOutbound({
      allowPrivate: config.allowPrivateTargets,
      onRefused: (refused) => options.logger.info(refused, 'outbound call refused: address not public'),
    });
    opening.opened.push(() => outbound.close());
    const schemaPool = openSchemaPool();
    opening.opened.push(() => schemaPool.close());
    const environments = await allOpened(
      environmentNames.map((name) =>
        openEnvironment(name, { connection, serverKey, outbound, schemaPool }, opening),
      ),
    );
    return { environments, serverKey, close };
  } catch (error) {
    await close().catch((err) => options.logger.error({ err }, 'closing'));
    throw error;
  }
}

/** @throws the first error, after all openings have settled, so that everything open can be closed */
async function allOpened<Opened>(openings: Promise<Opened>[]): Promise<Opened[]> {
  await Promise.allSettled(openings);
  return Promise.all(openings);
}

async function openServer({ config, logger, progress, opened }: Opening): Promise<string> {
  const { dataDirectory, databaseUrl, runAs } = config;
  if (databaseUrl) return databaseUrl;
  const log = (line: string) => logger.debug({ line }, 'postgres');
  const server: PostgresServer = await startPostgres({ dataDirectory, runAs, log, progress });
  opened.push(() => server.stop());
  return server.connectionString;
}

async function openEnvironment(
  name: EnvironmentName,
  {
    connection,
    serverKey,
    outbound,
    schemaPool,
  }: { connection: string; serverKey: Buffer; outbound: Outbound; schemaPool: Pool },
  {
    config,
    logger,
    opened,
    now,
    signingTime = now,
    baseUrls,
    onStatement,
    onSweep,
    maxHistoryEntries,
  }: Opening,
): Promise<EnvironmentDependencies> {
  await migrate({ connection, schema: name });
  const onConnectionLost = (error: Error) =>
    logger.warn({ err: error, environment: name }, 'connection lost');
  const observed = onStatement ? { onStatement } : {};
  const database = openDatabase({ connection, schema: name, onConnectionLost, ...observed });
  opened.push(() => database.destroy());
  // Executions and webhooks have pools of their own, so that they and requests do not wait for each other.
  const executionDatabase = openDatabase({ connection, schema: name, onConnectionLost, poolSize: 8 });
  opened.push(() => executionDatabase.destroy());
  const webhookDatabase = openDatabase({ connection, schema: name, onConnectionLost, poolSize: 4 });
  opened.push(() => webhookDatabase.destroy());
  const blobs = await openLocalBlobs(blobDirectory(config.dataDirectory, name));
  await bindBlobs({ blobs, database });
  // Opened before the jobs, so that it is closed after them.
  const stepper = openStepper((revisionId) => findDocument(executionDatabase, revisionId));
  opened.push(() => stepper.close());
  const jobs = await openJobs({ connection, schema: `${name}_jobs`, logger });
  opened.push(() => jobs.stop());
  const { identityProviderUrl, blobQuarantineDays } = config;
  const linkAddresses = linkAddressesOf(name, serverKey, config, baseUrls[name]);
  const sender = mailSender(name, config, logger);
  const sandbox = name === 'sandbox';
  const mail = mailWorker({ database, sender, linkAddresses, sandbox, logger, now });
  const callbackKey = deriveKey(serverKey, name, 'callbacks');
  const workflows = workflowWorkers({
    ...{
      database: executionDatabase,
      blobs,
      jobs,
      outbound,
      baseUrl: baseUrls[name],
      callbackKey,
      storageQuota: config.storageQuota,
      stepper,
      maxHistoryEntries,
      logger,
      now,
    },
  });
  opened.push(() => workflows.stop());
  const encryptionKey = deriveKey(serverKey, name, 'webhook-keys');
  const webhooks = openWebhooks({
    ...{ database: webhookDatabase, jobs, outbound, encryptionKey, sandbox, logger, now, signingTime },
  });
  opened.push(() => webhooks.stop());
  const { maintenance } = webhooks;
  const { retention } = config;
  const own = workers({
    ...{ database, blobs, blobQuarantineDays, identityProviderUrl, retention, maintenance, now },
    logger: logger.child({ environment: name }),
    onSweep: (report) => onSweep?.(name, report),
  });
  await jobs.work({ ...own, ...workflows.workers, ...webhooks.workers, mail });
  workflows.watch();
  webhooks.start();
  const schemas = inputSchemas(schemaPool, logger.child({ environment: name }));
  return { name, database, blobs, jobs, linkAddresses, schemas };
}

function linkAddressesOf(
  name: EnvironmentName,
  serverKey: Buffer,
  { linkBaseUrls }: Config,
  baseUrl: string,
): LinkAddresses {
  const key = deriveKey(serverKey, name, 'links');
  return linkAddresses({ key, baseUrl: linkBaseUrls[name] ?? `${baseUrl}${linkPath}` });
}

function mailSender(environment: EnvironmentName, config: Config, logger: Logger): MailSender {
  const { smtpUrl, mailFrom: from } = config;
  if (smtpUrl) return smtpSender({ url: smtpUrl, from });
  const directory = join(config.dataDirectory, 'outbox');
  return outboxSender({ directory, environment, from, logger });
}

/**
 * Closes everything in reverse order and empties the list. An error does not keep the rest open.
 *
 * @throws AggregateError
 */
export async function endAll(opened: (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of opened.splice(0).reverse()) {
    // An async function turns a synchronous error into a rejection.
    await (async () => end())().catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Not everything could be ended in order.');
}
