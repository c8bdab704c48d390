import type { Logger } from 'pino';
import { type BlobStore, openBlobs } from '../blobs/index.ts';
import type { Pool } from '../isolation/index.ts';
import { type InputSchemas, inputSchemas, openSchemaPool } from '../json-schema/index.ts';
import { createOutbound, type Outbound, type RefusedAddress } from '../outbound/index.ts';
import {
  type ConnectionPool,
  type DatabaseOptions,
  type OnStatement,
  openConnections,
  withTlsMode,
} from '../postgres-client/index.ts';
import { blobDirectory, type Config, type EnvironmentName, environmentNames } from './config.ts';
import { type LinkAddresses, linkAddresses, linkPath } from './domain/link-tokens.ts';
import { bindBlobs } from './files/binding.ts';
import { eventsTopic, type JobQueue, openJobs } from './jobs/jobs.ts';
import { outageLog } from './observability/outage.ts';
import {
  bindServerKey,
  deriveKey,
  followServerKey,
  keyName,
  openServerKey,
  type ServerKey,
} from './security/server-key.ts';
import type { DatabaseClock } from './store/clock.ts';
import { connectionShares, type Role } from './store/connections.ts';
import {
  backgroundTimeout,
  type Database,
  databaseOf,
  openDatabase,
  requestDatabaseOf,
} from './store/database.ts';
import { findDocument } from './store/definitions.ts';
import { onEvents } from './store/events.ts';
import { migrate } from './store/migrate.ts';
import { changesObstacle } from './store/monitoring.ts';
import { openServer } from './store/open-server.ts';
import { tracedOutbound } from './tracing/trace.ts';
import { type EventPolling, eventPolling } from './webhooks/event-polling.ts';
import { signingKeys } from './webhooks/signing-keys.ts';
import { pollableByDefault, startWork, type WorkingOptions } from './work.ts';
import { openStepper } from './workflows/steps/stepper.ts';

/** The resources of one environment, none of them shared with the other. */
export interface EnvironmentDependencies {
  name: EnvironmentName;
  database: Database;
  /** The same tables for requests, which are refused rather than kept waiting for a connection. */
  requestDatabase: Database;
  /** The connections of this process, by purpose. */
  pools: Partial<Record<'requests' | 'executions' | 'webhooks', ConnectionPool>>;
  blobs: BlobStore;
  jobs: JobQueue;
  /** The URLs of its single-use links. */
  linkAddresses: LinkAddresses;
  schemas: InputSchemas;
  /** Undefined: its events cannot be polled for. */
  eventPolling: EventPolling | undefined;
}

export interface Dependencies {
  environments: EnvironmentDependencies[];
  serverKey: ServerKey;
  /** For URLs that callers choose. */
  outbound: Outbound;
  /** Ends jobs in progress and starts no others, and ends the waits of long polls. Requests can still be served. */
  stopJobs(): Promise<unknown>;
  /** The log, which has one line for an outage of the database. */
  logger: Logger;
  /** Closes everything in reverse order, even if some of it fails. */
  close(): Promise<void>;
}

/** Options for opening the dependencies. */
export interface OpeningOptions extends WorkingOptions {
  /** Default: `all`. */
  role?: Role | undefined;
  /** Default: both. */
  only?: readonly EnvironmentName[];
  /** Called with a line about slow steps. */
  progress(line: string): void;
  /** The database, if it is opened already. It is closed with the other dependencies. Default: opened now. */
  database?: ReturnType<typeof openServer> | undefined;
  /** Measured as soon as the database is opened, and while it is. */
  clock?: DatabaseClock;
  /** Called for each call of a workflow or webhook to an address that is not public. Default: it is logged. */
  onCallRefused?(refused: RefusedAddress): void;
  /** Called for every statement of a request. */
  onStatement?: OnStatement | undefined;
}

/** What both environments share. */
interface Shared {
  connection: string;
  serverKey: ServerKey;
  outbound: Outbound;
  schemaPool: Pool;
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
export async function openDependencies(given: OpeningOptions): Promise<Dependencies> {
  const outages = outageLog(given.logger);
  const options = { ...given, logger: outages.logger };
  const { config } = options;
  const logRefused = (refused: RefusedAddress) =>
    options.logger.info(refused, 'outbound call refused: address not public');
  const opening: Opening = { ...options, opened: [] };
  const close = () => {
    outages.close();
    options.clock?.stop();
    return endAll(opening.opened);
  };
  try {
    const { connectionString: connection, stop } = await (options.database ?? openServer(options));
    opening.opened.push(stop);
    const serverKey = await openServerKey(config);
    const sender = createOutbound({
      allowPrivate: config.allowPrivateTargets,
      onRefused: options.onCallRefused ?? logRefused,
    });
    const outbound = tracedOutbound(sender, options.startSpan);
    opening.opened.push(() => outbound.close());
    const schemaPool = openSchemaPool();
    opening.opened.push(() => schemaPool.close());
    const environments = await allOpened(
      (options.only ?? environmentNames).map((name) =>
        openEnvironment(name, { connection, serverKey, outbound, schemaPool }, opening),
      ),
    );
    outages.watch({
      async database() {
        const found = environments.map(({ requestDatabase }) => changesObstacle(requestDatabase));
        return (await Promise.all(found)).every((obstacle) => obstacle === undefined);
      },
      async files() {
        await Promise.all(environments.map(({ blobs }) => blobs.check()));
        return true;
      },
    });
    const stopFollowing = followServerKey(environments, serverKey);
    opening.opened.push(async () => stopFollowing());
    const [first] = environments;
    if (first) options.clock?.follow(first.requestDatabase);
    // Stops the jobs of both environments at the same time.
    const stopJobs = () =>
      Promise.all(
        environments.map(({ jobs, eventPolling }) => {
          eventPolling?.stop();
          return jobs.stopWorking();
        }),
      );
    return {
      environments,
      logger: options.logger,
      serverKey,
      outbound,
      stopJobs,
      async close() {
        await stopJobs().catch((err) => options.logger.error({ err }, 'closing'));
        await close();
      },
    };
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

async function openEnvironment(
  name: EnvironmentName,
  { connection, serverKey, outbound, schemaPool }: Shared,
  { role = 'all', ...options }: Opening,
): Promise<EnvironmentDependencies> {
  const { config, logger, opened, baseUrls, onStatement } = options;
  await migrate({ connection, schema: name });
  const share = connectionShares(role, config.databaseConnections)[name];
  const applicationName = `wrp ${role}, keys ${serverKey.accepted.map(keyName).join(' ')}`;
  const open = (poolSize: number, own: Partial<DatabaseOptions>) => {
    const onConnectionLost = (error: Error) =>
      logger.warn({ err: error, environment: name }, 'connection lost');
    const pool = openConnections({
      connection,
      schema: name,
      applicationName,
      onConnectionLost,
      poolSize,
      ...own,
    });
    opened.push(() => pool.end());
    return pool;
  };
  const openForBackground = (poolSize: number) => open(poolSize, { connectionTimeout: backgroundTimeout });
  const blobs = await openBlobs(
    { directory: blobDirectory(config.dataDirectory, name), s3: config.s3 },
    name,
  );
  await bind({ connection, schema: name, serverKey, blobs, clock: options.clock });
  const requests = open(share.requests, onStatement ? { onStatement } : {});
  const linkAddresses = linkAddressesOf(name, serverKey, config, baseUrls[name]);
  const queue = {
    connection: withTlsMode(connection),
    schema: `${name}_jobs`,
    logger,
    connections: share.jobs,
  };
  const requestDatabase = requestDatabaseOf(requests);
  const resources = {
    name,
    database: databaseOf(requests),
    requestDatabase,
    blobs,
    linkAddresses,
    schemas: inputSchemas(schemaPool, logger.child({ environment: name })),
    eventPolling: openEventPolling(name, requestDatabase, serverKey, options),
  };
  if (role === 'serve') {
    const jobs = await openJobs({ ...queue, works: false });
    opened.push(() => jobs.stop());
    onEvents([resources.database, requestDatabase], () => jobs.signal(eventsTopic));
    return { ...resources, jobs, pools: { requests } };
  }
  const pools = {
    requests,
    executions: openForBackground(share.executions),
    webhooks: openForBackground(share.webhooks),
  };
  const databases = {
    own: resources.database,
    executions: databaseOf(pools.executions, backgroundTimeout),
    webhooks: databaseOf(pools.webhooks, backgroundTimeout),
  };
  // Opened before the jobs, so that it is closed after them.
  const stepper = openStepper((revisionId) => findDocument(databases.executions, revisionId));
  opened.push(() => stepper.close());
  const jobs = await openJobs({ ...queue, works: true });
  opened.push(() => jobs.stop());
  onEvents([requestDatabase, ...Object.values(databases)], () => jobs.signal(eventsTopic));
  await startWork({
    ...options,
    name,
    serverKey,
    outbound,
    databases,
    blobs,
    jobs,
    stepper,
    schemas: resources.schemas,
    linkAddresses,
  });
  return { ...resources, jobs, pools };
}

function openEventPolling(
  name: EnvironmentName,
  database: Database,
  serverKey: ServerKey,
  { pollable = pollableByDefault, logger, now, signingTime = now }: WorkingOptions,
): EventPolling | undefined {
  if (!pollable.includes(name)) return undefined;
  const encryptionKeys = deriveKey(serverKey, name, 'webhook-keys');
  const keys = signingKeys({ database, encryptionKeys, now });
  return eventPolling({ database, keys, logger: logger.child({ environment: name }), now, signingTime });
}

/** @throws an error of one line if the key or the files belong to another database */
async function bind({
  serverKey,
  blobs,
  clock,
  ...place
}: {
  connection: string;
  schema: EnvironmentName;
  serverKey: ServerKey;
  blobs: BlobStore;
  clock: DatabaseClock | undefined;
}): Promise<void> {
  const database = openDatabase({ ...place, poolSize: 1, connectionTimeout: backgroundTimeout });
  try {
    await clock?.measure(database);
    await bindServerKey(database, place.schema, serverKey);
    await bindBlobs({ blobs, database });
  } finally {
    await database.destroy();
  }
}

function linkAddressesOf(
  name: EnvironmentName,
  serverKey: ServerKey,
  { linkBaseUrls }: Config,
  baseUrl: string,
): LinkAddresses {
  const keys = deriveKey(serverKey, name, 'links');
  return linkAddresses({ keys, baseUrl: linkBaseUrls[name] ?? `${baseUrl}${linkPath}` });
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
