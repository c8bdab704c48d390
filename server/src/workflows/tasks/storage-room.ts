import type { Database } from '../../store/database.ts';
import { storageLeft } from '../../store/storage.ts';
import { TaskFailure } from './task.ts';

/** What an organization may store. */
export interface StorageRoom {
  /** Bytes; undefined: any number. */
  storageQuota: number | undefined;
  /**
   * Looks before a file is written; whether it may stay is decided when its row is added.
   *
   * @throws TaskFailure `Wrp.StorageQuotaExceeded`
   */
  expect(organizationId: string, size: number): Promise<void>;
}

export function storageRoom(database: Database, storageQuota: number | undefined): StorageRoom {
  return {
    storageQuota,
    async expect(organizationId, size) {
      if (storageQuota === undefined) return;
      if (size > (await storageLeft(database, organizationId, storageQuota))) throw storageExceeded();
    },
  };
}

export function storageExceeded(): TaskFailure {
  return new TaskFailure(
    'Wrp.StorageQuotaExceeded',
    "The file does not fit into the organization's storage.",
  );
}
