import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { openBlobs } from '../blobs/index.ts';
import { findPostgres } from '../embedded-postgres/index.ts';
import { listen, listeningUrl, securityHeaders } from '../http-server/index.ts';
import { checkDatabase } from '../postgres-client/index.ts';
import { blobDirectory, type Config, type EnvironmentName, environmentNames } from './config.ts';
import { checkBinding } from './files/binding.ts';
import { smtpSender } from './mail/senders.ts';
import { boundKey, openServerKey } from './security/server-key.ts';
import { clockSkew, toleratedSkewMilliseconds } from './store/clock.ts';
import { type Database, openDatabase } from './store/database.ts';
import { findKeyFingerprint } from './store/key-fingerprints.ts';
import { pendingMigrations } from './store/migrate.ts';
import { changesObstacle } from './store/monitoring.ts';

export type Outcome = 'ok' | 'warning' | 'failed';
export interface CheckResult {
  check: string;
  outcome: Outcome;
  message: string;
}
type Found = { outcome: Outcome; message: string };
/** Reports what it found; what it throws has failed. */
type Report = (check: string, find: () => Promise<Found>) => Promise<void>;

const ok = (message: string): Found => ({ outcome: 'ok', message });
const warning = (message: string): Found => ({ outcome: 'warning', message });
const failed = (message: string): Found => ({ outcome: 'failed', message });

const leastFreeBytes = 2 ** 30;
const requestMilliseconds = 5_000;

/**
 * Tries what a start needs, as the start does, and changes nothing: it migrates nothing, creates no key and no ID of the
 * file store, and does not start the embedded PostgreSQL. What the start would create is reported as such.
 *
 * @param describe turns an error into one line
 */
export async function checkConfig(
  config: Config,
  describe: (error: unknown) => string,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const report: Report = async (check, find) => {
    const found = await find().catch((error: unknown) => failed(describe(error)));
    results.push({ check, ...found });
  };
  await report('data directory', () => checkDataDirectory(config));
  await checkPorts(config, report);
  for (const name of environmentNames) await checkPublicUrl(name, config, report);
  await report('server key', () => checkKey(config));
  await report('mail', () => checkMail(config));
  if (config.s3) await report('clock of S3', () => checkStoreClock(config));
  const connection = await connectionOf(config, report);
  for (const name of environmentNames) await checkEnvironment(name, config, connection, report);
  return results;
}

async function checkDataDirectory({ dataDirectory }: Config): Promise<Found> {
  const isNew = !existsSync(dataDirectory);
  let directory = dataDirectory;
  while (!existsSync(directory)) directory = dirname(directory);
  const probe = join(directory, `.wrp-probe-${randomUUID()}`);
  try {
    await writeFile(probe, 'probe', { flag: 'wx' });
  } finally {
    await rm(probe, { force: true });
  }
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  const room = `${(free / 2 ** 30).toFixed(1)} GiB free`;
  if (free < leastFreeBytes) return warning(`${dataDirectory} has only ${room}: make room.`);
  return ok(`${dataDirectory}: ${isNew ? 'is created at the first start' : 'can be written'}, ${room}`);
}

async function checkPorts({ host, ports, metricsHost, metricsPort }: Config, report: Report): Promise<void> {
  const listeners = [
    { name: 'PORT', hostName: 'HOST', host, port: ports.production },
    { name: 'SANDBOX_PORT', hostName: 'HOST', host, port: ports.sandbox },
    { name: 'METRICS_PORT', hostName: 'METRICS_HOST', host: metricsHost, port: metricsPort },
  ];
  for (const { name, hostName, host, port } of listeners) {
    if (port === undefined) continue;
    await report(name, async () => {
      const address = { host, port, settings: { host: hostName, port: name }, headers: securityHeaders() };
      try {
        const listener = await listen(address, (_request, response) => response.destroy());
        await listener.drain(0);
        return ok(`${host}:${port} is free`);
      } catch (error) {
        const health = await fetchHealth(listeningUrl(host, port));
        if (health === 'platform')
          return ok(
            `${host}:${port} is used by a platform that runs: this one, or another that needs another port`,
          );
        throw error;
      }
    });
  }
}

async function checkPublicUrl(name: EnvironmentName, { publicUrls }: Config, report: Report): Promise<void> {
  const url = publicUrls[name];
  if (!url) return;
  const variable = name === 'production' ? 'PUBLIC_URL' : 'SANDBOX_PUBLIC_URL';
  await report(variable, async () => {
    if (publicUrls.production === publicUrls.sandbox)
      return failed(`PUBLIC_URL and SANDBOX_PUBLIC_URL are both ${url}: each environment needs its own.`);
    const { protocol, hostname } = new URL(url);
    const isLocal = /^(?:localhost|127\..+|\[::1\])$/.test(hostname);
    if (protocol === 'http:' && !isLocal)
      return warning(`${url} is not https: tokens and files travel unencrypted.`);
    const health = await fetchHealth(url);
    if (health === 'platform') return ok(`${url} leads to a platform that runs`);
    return warning(`${url} leads to no platform now (${health}): start it, or check the proxy.`);
  });
}

/** `platform`, or why it is none. */
async function fetchHealth(url: string): Promise<string> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(requestMilliseconds) });
    const body: unknown = await response.json().catch(() => undefined);
    const isPlatform = (body as { status?: unknown } | undefined)?.status === 'ok';
    return isPlatform ? 'platform' : `status ${response.status} at /healthz`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    return cause?.code ?? message;
  }
}

const willCreateKey = ({ dataDirectory, serverKey, serverKeyFile }: Config) =>
  !serverKey && !serverKeyFile && !existsSync(join(dataDirectory, 'server.key'));

async function checkKey(config: Config): Promise<Found> {
  if (willCreateKey(config)) return ok(`${config.dataDirectory}/server.key is created at the first start`);
  const { accepted } = await openServerKey(config);
  return ok(accepted.length > 1 ? 'complete, and so is the previous one' : 'complete');
}

async function checkMail({ smtpUrl: url, mailFrom: from }: Config): Promise<Found> {
  if (!url) return ok('SMTP_URL is not set: messages are written to files');
  await smtpSender({ url, from }).check?.();
  return ok('the mail server accepts the connection and the credentials');
}

/** S3 refuses requests whose time is wrong by more than 15 minutes. */
async function checkStoreClock({ s3 }: Config): Promise<Found> {
  const url = s3?.endpoint ?? `https://s3.${s3?.region}.amazonaws.com`;
  const started = Date.now();
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(requestMilliseconds),
  }).catch(() => undefined);
  const date = Date.parse(response?.headers.get('Date') ?? '');
  if (Number.isNaN(date)) return warning(`${url} does not tell its time.`);
  // The header has whole seconds.
  return describeSkew((started + Date.now()) / 2 - date - 500, "S3's");
}

function describeSkew(milliseconds: number, whose: string): Found {
  const seconds = Math.abs(milliseconds / 1000).toFixed(1);
  const line = `the clock of this machine is ${seconds} s ${milliseconds > 0 ? 'ahead of' : 'behind'} ${whose}`;
  return Math.abs(milliseconds) > toleratedSkewMilliseconds
    ? warning(`${line}: synchronize both with NTP.`)
    : ok(line);
}

/** @returns undefined if nothing can be asked of the database */
async function connectionOf(config: Config, report: Report): Promise<string | undefined> {
  const { databaseUrl, dataDirectory } = config;
  let connection: string | undefined;
  await report('database', async () => {
    if (databaseUrl) {
      await checkDatabase(databaseUrl);
      connection = databaseUrl;
      return ok('DATABASE_URL can be reached, without a pooler that loses sessions');
    }
    const running = existsSync(dataDirectory) ? await findPostgres({ dataDirectory }) : undefined;
    connection = running?.connectionString;
    if (connection) return ok('the embedded PostgreSQL runs');
    const exists = existsSync(join(dataDirectory, 'postgres'));
    return ok(
      `the embedded PostgreSQL ${exists ? 'is stopped, so it is not checked' : 'is created at the first start'}`,
    );
  });
  return connection;
}

async function checkEnvironment(
  name: EnvironmentName,
  config: Config,
  connection: string | undefined,
  report: Report,
): Promise<void> {
  const database = connection && openDatabase({ connection, schema: name, poolSize: 1 });
  try {
    let isMigrated = false;
    if (database) {
      if (name === 'production') await checkServerOf(database, config, report);
      await report(`${name} tables`, async () => {
        const pending = await pendingMigrations(database, name);
        isMigrated = pending.length === 0;
        return checkTables(database, pending.length);
      });
      if (isMigrated && !willCreateKey(config))
        await report(`${name} key`, async () => {
          const stored = await findKeyFingerprint(database);
          if (!stored) return ok('the database is bound to the server key at the next start');
          boundKey((await openServerKey(config)).accepted, stored);
          return ok('the server key is that of the database');
        });
    }
    await report(`${name} files`, async () => {
      const directory = blobDirectory(config.dataDirectory, name);
      if (!config.s3 && !existsSync(directory)) return ok(`${directory} is created at the first start`);
      const blobs = await openBlobs({ directory, s3: config.s3 }, name);
      await blobs.check();
      const { location } = blobs.marker;
      if (!database || !isMigrated) return ok(`${location} can be written`);
      const relation = await checkBinding({ blobs, database });
      return ok(
        `${location} can be written, and ${relation === 'bound' ? 'belongs' : 'is bound at the next start'} to the database`,
      );
    });
  } finally {
    if (database) await database.destroy();
  }
}

async function checkTables(database: Database, pending: number): Promise<Found> {
  const { rows } = await sql<{ mayCreate: boolean; hasSchema: boolean }>`
    select has_database_privilege(current_database(), 'create') as "mayCreate",
      current_schema() is not null as "hasSchema"`.execute(database);
  const { mayCreate, hasSchema } = rows[0] as { mayCreate: boolean; hasSchema: boolean };
  if (!mayCreate) return failed('The role may not create schemas: let it own the database.');
  if (!hasSchema) return ok('are created at the next start');
  const obstacle = await changesObstacle(database);
  if (obstacle === 'refused') return failed('The role may not read or change all tables: let it own them.');
  if (obstacle)
    return failed(`The database is ${obstacle === 'disk-full' ? 'on a full disk' : 'read-only'}.`);
  return ok(pending === 0 ? 'are up to date' : `${pending} migrations run at the next start`);
}

async function checkServerOf(database: Database, config: Config, report: Report): Promise<void> {
  await report('clock of the database', async () =>
    describeSkew((await clockSkew(database)).milliseconds, "the database's"),
  );
  await report('connections', async () => {
    const { rows } = await sql<{ max: number; used: number }>`
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
        (select count(*)::int from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`.execute(database);
    const { max, used } = rows[0] as { max: number; used: number };
    const line = `${used} of ${max} are in use, and this process takes up to ${config.databaseConnections}`;
    if (used + config.databaseConnections <= max) return ok(line);
    return warning(`${line}: raise max_connections, or lower DATABASE_CONNECTIONS.`);
  });
}
