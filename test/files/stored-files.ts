import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '../../server/blobs/index.ts';
import { bindBlobs } from '../../server/src/files/binding.ts';
import { type SweepMode, type SweepReport, sweepBlobs } from '../../server/src/files/sweep.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import type { Database } from '../../server/src/store/database.ts';
import { given } from '../support/given.ts';
import { openClone } from '../support/postgres.ts';
import { onS3 } from '../support/s3.ts';
import { givenBlobs } from './support.ts';

export const hour = 3_600_000;
export const day = 24 * hour;

/** A database of this test alone: a migrated, empty one, or a copy. */
export const givenDatabase = (source?: string) => openClone({ source });

/** A blob store and a database that belong together, with ways to put files into both or into one of them. */
export async function givenFiles() {
  const { blobs, directory, files } = await givenBlobs();
  const { database, connectionString } = await givenDatabase();
  const { world } = await given(database, { now: () => new Date(), forward: () => {} });
  await bindBlobs({ blobs, database });
  const contents = new Map<string, string>();
  const shard = (blobKey: string) => (onS3() ? [] : [blobKey.slice(0, 2), blobKey.slice(2, 4)]);
  const pathOf = (blobKey: string) => join(directory, 'blobs', ...shard(blobKey), blobKey);
  const inQuarantine = () => {
    const quarantine = join(directory, 'quarantine');
    if (!existsSync(quarantine)) return [];
    const entries = readdirSync(quarantine, { recursive: true, withFileTypes: true });
    // In S3, the name of a mark begins with the key of its blob.
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name.replace(/\..*/, ''));
  };
  const rowOf = (blobKey: string) => ({
    id: randomUUID(),
    name: 'a.txt',
    content_type: 'text/plain',
    size: 36,
    sha256: Buffer.alloc(32),
    blob_key: blobKey,
    created_by: world.owner.id,
  });
  const log: Record<string, unknown>[] = [];
  const logger = openLogger('info', { write: (line) => void log.push(JSON.parse(line)) });

  const all = {
    blobs,
    directory,
    files,
    database,
    connectionString,
    world,
    contents,
    log,
    logger,
    pathOf,
    rowOf,

    /** Bytes without a row, without fsync: there are thousands. */
    async blob(): Promise<string> {
      const blobKey = randomUUID();
      contents.set(blobKey, randomUUID());
      await mkdir(dirname(pathOf(blobKey)), { recursive: true });
      await writeFile(pathOf(blobKey), contents.get(blobKey) as string);
      return blobKey;
    },
    async name(blobKey: string, inDatabase: Database = database): Promise<string> {
      const values = { ...rowOf(blobKey), workspace_id: world.workspace.id };
      await inDatabase.insertInto('resources').values(values).execute();
      return blobKey;
    },
    async file(inDatabase?: Database): Promise<string> {
      return all.name(await all.blob(), inDatabase);
    },
    async deleteRow(blobKey: string, inDatabase: Database = database): Promise<void> {
      await inDatabase.deleteFrom('resources').where('blob_key', '=', blobKey).execute();
    },
    severalBlobs: (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, all.blob)),
    async severalFiles(count: number, inDatabase: Database = database): Promise<string[]> {
      const blobKeys = await all.severalBlobs(count);
      const rows = blobKeys.map((blobKey) => ({ ...rowOf(blobKey), workspace_id: world.workspace.id }));
      if (count > 0) await inDatabase.insertInto('resources').values(rows).execute();
      return blobKeys;
    },
    /** Sweeps so much later; default: when no file is young any more. */
    async sweep({
      later = 2 * hour,
      mode = 'limited',
      quarantineDays = 14,
      inDatabase = database,
      store = blobs,
    }: {
      later?: number;
      mode?: SweepMode;
      quarantineDays?: number;
      inDatabase?: Database;
      store?: BlobStore;
    } = {}): Promise<SweepReport> {
      const now = new Date(Date.now() + later);
      return sweepBlobs({ blobs: store, database: inDatabase, quarantineDays, mode, logger, now });
    },
    /** Whether it is stored and not in quarantine. */
    isStored: (blobKey: string) =>
      existsSync(pathOf(blobKey)) && !(onS3() && inQuarantine().includes(blobKey)),
    quarantined: async () => inQuarantine(),
    /** Returns the blobs that cannot be read, or have other bytes. */
    async unreadable(blobKeys: string[]): Promise<string[]> {
      const wrong: string[] = [];
      for (const blobKey of blobKeys) {
        const bytes = await blobs.read(blobKey).then(buffer, () => undefined);
        if (bytes?.toString() !== contents.get(blobKey)) wrong.push(blobKey);
      }
      return wrong;
    },
    /** The keys of all lines of the log with a message. */
    logged: (message: string) =>
      log.filter(({ msg }) => msg === message).flatMap(({ blobKeys }) => blobKeys as string[]),
  };
  return all;
}

export const removedMessage = 'blobs of deleted files removed';
export const quarantinedMessage = 'blobs quarantined: this database does not know them';
export const restoredMessage = 'blobs restored from quarantine';
export const expiredMessage = 'blobs removed from quarantine';
