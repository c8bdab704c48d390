import type { BlobStore } from '../../../blobs/index.ts';
import type { Outbound } from '../../../outbound/index.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Database } from '../../store/database.ts';
import { attachmentCreate } from './attachment-create.ts';
import { callbackWait, httpCall } from './http-call.ts';
import { mailSend } from './mail-send.ts';
import { openStorageQuota, resourceCreate } from './resource-create.ts';
import type { SupportedResource, Task, Tasks } from './task.ts';

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
