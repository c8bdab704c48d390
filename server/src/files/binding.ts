import { randomUUID } from 'node:crypto';
import type { BlobStore } from '../../blobs/index.ts';
import {
  confirmBlobStoreId,
  findBlobStoreId,
  proposeBlobStoreId,
  replaceBlobStoreId,
} from '../store/blobs.ts';
import type { Database } from '../store/database.ts';

/** The blob store and the database do not belong together. The message is one line that says what to do. */
export class BlobBindingError extends Error {}

interface Stores {
  blobs: Pick<BlobStore, 'marker'>;
  database: Database;
}

/** `unbound`: neither is bound to anything, so they can be bound to each other. */
type Relation = 'bound' | 'unbound' | 'other_store' | 'marker_missing';

/**
 * Binds a blob store and a database to each other, if they are not bound yet, by storing the same id in both. Safe to
 * call concurrently from several processes, and again after a crash at any point.
 *
 * @throws BlobBindingError if one of them is bound to something else
 */
export async function bindBlobs({ blobs, database }: Stores): Promise<void> {
  await checkBinding({ blobs, database });
  // In both steps the first caller wins. The database comes first: its id decides to which database the store belongs.
  const id = await proposeBlobStoreId(database, randomUUID());
  if ((await blobs.marker.create(id)) !== id) throw refusal('other_store', blobs);
  await confirmBlobStoreId(database, id);
}

/** @throws BlobBindingError if one of them is bound to something else */
export async function checkBinding(stores: Stores): Promise<'bound' | 'unbound'> {
  const relation = await relate(stores);
  if (relation === 'bound' || relation === 'unbound') return relation;
  throw refusal(relation, stores.blobs);
}

/** @throws BlobBindingError unless the two are bound to each other */
export async function assertBound({ blobs, database }: Stores): Promise<void> {
  const relation = await relate({ blobs, database });
  if (relation !== 'bound') throw refusal(relation, blobs);
}

/**
 * Binds a blob store and a database to each other under a new id, whatever they were bound to. From then on the
 * previous database of the store is refused.
 *
 * @param renew give them a new id although they are bound to each other: a copy of both has the id of the originals
 */
export async function adoptBlobs(
  { blobs, database }: Stores,
  renew = false,
): Promise<'adopted' | 'was_bound'> {
  const stored = await findBlobStoreId(database);
  if (!renew && stored?.bound && stored.id === (await blobs.marker.read())) return 'was_bound';
  const id = randomUUID();
  await replaceBlobStoreId(database, id);
  await blobs.marker.replace(id);
  await confirmBlobStoreId(database, id);
  return 'adopted';
}

async function relate({ blobs, database }: Stores): Promise<Relation> {
  const read = async (): Promise<Relation> => {
    const stored = await findBlobStoreId(database);
    const marker = await blobs.marker.read();
    if (marker === undefined) return stored?.bound ? 'marker_missing' : 'unbound';
    return stored?.id === marker ? 'bound' : 'other_store';
  };
  const relation = await read();
  // Another process may have bound them between the two reads.
  return relation === 'other_store' ? read() : relation;
}

function refusal(relation: Exclude<Relation, 'bound'>, { marker }: Stores['blobs']): BlobBindingError {
  const reasons = {
    unbound: `The blob store ${marker.location} is not bound to the database yet: start the platform once.`,
    other_store: `The blob store ${marker.location} belongs to another database: set ${marker.settings} and DATABASE_URL of the same platform, or run "wrp blobs adopt" to bind the store to this database.`,
    marker_missing: `The blob store ${marker.location} has no marker (store-id), but the database has stored files in one: check ${marker.settings} (all processes of a database share one store) and that its volume is mounted, or restore the files. To continue without them, run "wrp blobs adopt".`,
  };
  return new BlobBindingError(reasons[relation]);
}
