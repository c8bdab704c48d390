import { randomUUID } from 'node:crypto';
import {
  type BlobStoreId,
  confirmBlobStoreId,
  findBlobStoreId,
  proposeBlobStoreId,
  replaceBlobStoreId,
} from '../store/blobs.ts';
import type { Database } from '../store/database.ts';
import type { BlobStore } from './blob-store.ts';

/** The blob store and the database do not belong together. The message is one line that says what to do. */
export class BlobBindingError extends Error {}

interface Binding {
  blobs: Pick<BlobStore, 'marker'>;
  database: Database;
}

/** `unbound`: neither is bound to anything else, so they can be bound to each other. */
type Relation = 'bound' | 'unbound' | 'other_store' | 'marker_missing';

/**
 * @param known the id that the database has
 * @param marker the id that the store carries
 */
function relationOf(known: BlobStoreId | undefined, marker: string | undefined): Relation {
  if (marker === undefined) return known?.bound ? 'marker_missing' : 'unbound';
  return known?.id === marker ? 'bound' : 'other_store';
}

/**
 * Binds a blob store and a database to each other unless they are already: both then carry the same id. Several
 * processes may do this at once. A crash at any point leaves a state from which this goes on.
 *
 * @throws BlobBindingError when one of them is bound to something else
 */
export async function bindBlobs({ blobs, database }: Binding): Promise<void> {
  const relation = await relate({ blobs, database });
  if (relation !== 'unbound' && relation !== 'bound') throw refusal(relation, blobs);
  // Both ids are settled by whoever comes first; the database's comes first, as it says whose store this becomes.
  const id = await proposeBlobStoreId(database, randomUUID());
  if ((await blobs.marker.create(id)) !== id) throw refusal('other_store', blobs);
  await confirmBlobStoreId(database, id);
}

/** @throws BlobBindingError unless the two are bound to each other */
export async function assertBound({ blobs, database }: Binding): Promise<void> {
  const relation = await relate({ blobs, database });
  if (relation !== 'bound') throw refusal(relation, blobs);
}

/**
 * Binds a blob store and a database to each other under a new id, whatever they were bound to. A database that had
 * the store before is refused from then on.
 */
export async function adoptBlobs({ blobs, database }: Binding): Promise<'adopted' | 'was_bound'> {
  const known = await findBlobStoreId(database);
  if (known?.bound && known.id === (await blobs.marker.read())) return 'was_bound';
  const id = randomUUID();
  await replaceBlobStoreId(database, id);
  await blobs.marker.replace(id);
  await confirmBlobStoreId(database, id);
  return 'adopted';
}

async function relate({ blobs, database }: Binding): Promise<Relation> {
  const look = async () => relationOf(await findBlobStoreId(database), await blobs.marker.read());
  const relation = await look();
  // Another process may have bound them between the two reads. That is settled when they are read again.
  return relation === 'other_store' ? look() : relation;
}

function refusal(relation: Exclude<Relation, 'bound'>, { marker }: Binding['blobs']): BlobBindingError {
  const reasons = {
    unbound: `The blob store ${marker.place} is not bound to the database yet: start the platform once.`,
    other_store: `The blob store ${marker.place} belongs to another database: set DATA_DIR and DATABASE_URL that belong together, or run "wrp blobs adopt" to bind the store to this database.`,
    marker_missing: `The blob store ${marker.place} has no marker (store-id), but the database has stored files in one: check DATA_DIR and that its volume is mounted (all processes of a database share it), or restore the files. To continue without them, run "wrp blobs adopt".`,
  };
  return new BlobBindingError(reasons[relation]);
}
