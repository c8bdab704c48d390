import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { openBlobs, type S3Settings } from '../../blobs/index.ts';
import { createDurably, ifExists } from '../../durable-files/index.ts';
import { keyName, writeBackup } from '../backup/backup.ts';
import { BackupError } from '../backup/backup-error.ts';
import { openBackup, restoreBackup } from '../backup/restore.ts';
import { blobDirectory, type EnvironmentName, environmentNames, readConfig, s3Settings } from '../config.ts';
import { formatBytes } from '../domain/bytes.ts';
import { assertBound } from '../files/binding.ts';
import { openJobs } from '../jobs/jobs.ts';
import { demoFilePath } from '../manifest/demo-file.ts';
import { openLogger } from '../observability/logger.ts';
import { bindServerKey, openServerKey } from '../security/server-key.ts';
import { openDatabase } from '../store/database.ts';
import { hasSchema } from '../store/dump.ts';
import { describeError } from './command-error.ts';
import { type OpenEnvironment, withPlatform } from './connect.ts';
import { action, fromWorkingDirectory, type GlobalOptions } from './options.ts';
import { printJson, progressPrinter } from './print.ts';

const backupNotes = `
Writes the rows of both environments as of one moment, their files, from DATA_DIR or S3, and the server key to a new
directory, and lists their SHA-256 in SHA256SUMS. The platform may run, and may be stopped. Files are not removed meanwhile.
The backup contains secrets, server.key among them: only its owner can read it. Keep it so.
Not in the backup: settings, and messages in DATA_DIR/outbox.

Example:
  $ wrp backup /backups/2026-11-27`;

const restoreNotes = `
Checks all bytes of a backup of the same release, then restores it into an empty place: a data directory that has no
database and no files, or an empty database (DATABASE_URL) and an empty bucket or prefix (S3_BUCKET, S3_PREFIX). The platform
must not run on it. The files get a new id, so that the original and the copy cannot use each other's. The workers of the
restored platform continue the executions, webhooks and mails of the backup: do not start it beside the original.

Example:
  $ wrp restore /backups/2026-11-27 --data-dir /srv/wrp`;

/** `wrp backup` and `wrp restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('Writes the database, the files and the server key to a directory.')
    .argument('<directory>', 'a new or empty directory', fromWorkingDirectory)
    .addHelpText('after', backupNotes)
    .action(action(backup));
  program
    .command('restore')
    .description('Restores a backup into an empty data directory, or an empty database and file store.')
    .argument('<directory>', 'a directory that wrp backup has written', fromWorkingDirectory)
    .addHelpText('after', restoreNotes)
    .action(action(restore));
}

async function backup(directory: string, options: GlobalOptions): Promise<void> {
  const { json } = options;
  const config = configOf(options);
  const progress = progressPrinter(json);
  const manifest = await withPlatform(options, { readOnly: true }, async (open) => {
    const environments = await stores(open, options);
    const accepted = await openServerKey(config);
    for (const environment of environmentNames) {
      const own = environments[environment];
      await assertBound(own);
      await bindServerKey(own.database, environment, accepted);
    }
    const { production: serverKey, sandbox } = accepted.bound;
    if (!serverKey || serverKey !== sandbox)
      throw new BackupError('The server key is being replaced: complete "wrp database rotate-key" first.');
    return writeBackup({
      directory,
      serverKey,
      dataDirectory: options.dataDir,
      database: await open('production'),
      environments,
      progress,
    });
  });
  if (json) return printJson({ directory, ...manifest });
  for (const environment of environmentNames) {
    const { rows, files, bytes } = manifest.environments[environment];
    console.log(`${environment}: ${rows} rows, ${files} files (${formatBytes(bytes)})`);
  }
  console.error(`The backup ${directory} contains the server key and other secrets: keep it safe.`);
}

async function restore(directory: string, options: GlobalOptions): Promise<void> {
  const { dataDir, databaseUrl, json } = options;
  const progress = progressPrinter(json);
  const config = configOf(options);
  const found = await openBackup(directory, progress);
  const isKeySet = Boolean(config.serverKey || config.serverKeyFile);
  if (isKeySet && !(await openServerKey(config)).accepted[0]?.equals(found.serverKey))
    throw new BackupError('SERVER_KEY is not the key of the backup: unset it, or set the key of the backup.');
  assertEmpty(dataDir);
  const s3 = s3Settings(process.env);
  if (s3) for (const environment of environmentNames) await assertEmptyBucket(s3, environment);
  await withPlatform(options, { create: true }, async (open, connection) => {
    const database = openDatabase({ connection, schema: 'production', poolSize: 1, statementTimeout: 0 });
    try {
      for (const environment of environmentNames) {
        if (await hasSchema(database, environment))
          throw new BackupError(`The database has a schema ${environment}: restore into an empty database.`);
      }
      const environments = await stores(open, options);
      for (const environment of environmentNames) await createJobs(connection, environment);
      await restoreBackup({ backup: found, database, environments, progress });
    } catch (error) {
      if (error instanceof BackupError) throw error;
      throw new BackupError(
        `${describeError(error)} The restore is incomplete: empty its target and repeat it.`,
      );
    } finally {
      await database.destroy();
    }
  });
  const demo = await ifExists(readFile(demoFilePath(directory), 'utf8'));
  if (!isKeySet || demo) await mkdir(dataDir, { recursive: true });
  if (!isKeySet) await createDurably(join(dataDir, keyName), `${found.serverKey.toString('base64url')}\n`);
  if (demo) await createDurably(demoFilePath(dataDir), demo);
  if (json) return printJson({ directory, ...found.manifest });
  const place = databaseUrl ? 'the database of DATABASE_URL' : dataDir;
  console.error(`The backup of ${found.manifest.createdAt} is restored to ${place}.`);
}

const configOf = ({ dataDir, databaseUrl }: GlobalOptions) =>
  readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });

function assertEmpty(dataDirectory: string): void {
  const entries = existsSync(dataDirectory) ? readdirSync(dataDirectory) : [];
  const taken = ['postgres', 'blobs', keyName].find((name) => entries.includes(name));
  if (taken)
    throw new BackupError(`${dataDirectory} is not empty, it has ${taken}: name an empty data directory.`);
}

async function assertEmptyBucket(s3: S3Settings, environment: EnvironmentName): Promise<void> {
  const { marker } = await openBlobs({ directory: '', s3 }, environment);
  if ((await marker.read()) !== undefined)
    throw new BackupError(`The file store ${marker.location} is not empty: restore into an empty one.`);
}

/** Creates the tables of the job queue. */
async function createJobs(connection: string, environment: EnvironmentName): Promise<void> {
  const logger = openLogger('silent');
  const jobs = await openJobs({ connection, schema: `${environment}_jobs`, logger, works: false });
  await jobs.stop();
}

async function stores(open: OpenEnvironment, { dataDir }: GlobalOptions) {
  const s3 = s3Settings(process.env);
  const of = async (environment: EnvironmentName) => ({
    database: await open(environment),
    blobs: await openBlobs({ directory: blobDirectory(dataDir, environment), s3 }, environment),
  });
  return { production: await of('production'), sandbox: await of('sandbox') };
}
