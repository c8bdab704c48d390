import type { Database } from '../../store/database.ts';
import { storageLeft } from '../../store/storage.ts';
import { TaskFailure } from './task.ts';

/** The storage quota of each organization. */
export interface StorageQuota {
  /** Undefined: unlimited. */
  bytes: number | undefined;
  /**
   * Rejects a file before it is written. The quota is enforced when the row of the file is added.
   *
   * @throws TaskFailure `Wrp.StorageQuotaExceeded`
   */
  assertFits(organizationId: string, size: number): Promise<void>;
}

export function openStorageQuota(database: Database, bytes: number | undefined): StorageQuota {
  return {
    bytes,
    async assertFits(organizationId, size) {
      if (bytes === undefined) return;
      if (size > (await storageLeft(database, organizationId, bytes))) throw storageExceeded();
    },
  };
}

export function storageExceeded(): TaskFailure {
  return new TaskFailure('Wrp.StorageQuotaExceeded', "The file exceeds the organization's storage quota.");
}
