import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Database } from '../../store/database.ts';
import type { SupportedResource } from '../machine/index.ts';
import { attachmentCreate } from './attachment-create.ts';
import { callbackWait, httpCall } from './http-call.ts';
import { mailSend } from './mail-send.ts';
import { openStorageQuota, resourceCreate } from './resource-create.ts';
import type { Task, Tasks } from './task.ts';

export interface TaskDependencies {
  database: Database;
  blobs: BlobStore;
  jobs: Jobs;
  outbound: Pick<Outbound, 'request'>;
  /** The public URL of the platform. */
  baseUrl: string;
  /** Bytes that an organization may store; undefined: unlimited. */
  storageQuota: number | undefined;
}

/** The tasks by the resources that `validateDefinition` accepts. */
export function openTasks({
  database,
  blobs,
  jobs,
  outbound,
  baseUrl,
  storageQuota,
}: TaskDependencies): Tasks {
  const quota = openStorageQuota(database, storageQuota);
  return {
    'wrp:http:call': httpCall(outbound),
    'wrp:resource:create': resourceCreate(blobs, quota),
    'wrp:attachment:create': attachmentCreate(database, blobs, quota),
    'wrp:mail:send': mailSend(jobs),
    'wrp:callback:wait': callbackWait(outbound, baseUrl),
  } satisfies Record<SupportedResource, Task>;
}
