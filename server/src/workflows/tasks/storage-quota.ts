import type { Database } from '../../store/database.ts';
import { storageLeft } from '../../store/storage.ts';
import { TaskFailure } from './task.ts';

export type StorageQuota = ReturnType<typeof openStorageQuota>;

/** The storage quota of each organization. @param bytes undefined: unlimited */
export function openStorageQuota(database: Database, bytes: number | undefined) {
  return {
    bytes,
    /**
     * Rejects a file before it is written. The quota is enforced when the row of the file is added.
     *
     * @throws TaskFailure `Wrp.StorageQuotaExceeded`
     */
    async assertFits(organizationId: string, size: number) {
      if (bytes === undefined) return;
      if (size > (await storageLeft(database, organizationId, bytes))) throw storageExceeded();
    },
  };
}

export function storageExceeded(): TaskFailure {
  return new TaskFailure('Wrp.StorageQuotaExceeded', "The file exceeds the organization's storage quota.");
}
