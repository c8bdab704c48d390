import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Database } from '../../store/database.ts';
import type { SupportedResource } from '../machine/index.ts';
import { attachmentCreate } from './attachment-create.ts';
import { callbackWait } from './callback-wait.ts';
import { httpCall } from './http-call.ts';
import { mailSend } from './mail-send.ts';
import { resourceCreate } from './resource-create.ts';
import { storageRoom } from './storage-room.ts';
import type { Task, Tasks } from './task.ts';

/** Every task, by the resource that a definition names: those that `validateDefinition` lets pass. */
export function openTasks({
  database,
  blobs,
  jobs,
  outbound,
  baseUrl,
  storageQuota,
}: {
  database: Database;
  blobs: BlobStore;
  jobs: Jobs;
  outbound: Pick<Outbound, 'request'>;
  baseUrl: string;
  /** Bytes that an organization may store; undefined: any number. */
  storageQuota: number | undefined;
}): Tasks {
  const room = storageRoom(database, storageQuota);
  return {
    'wrp:http:call': httpCall(outbound),
    'wrp:resource:create': resourceCreate(blobs, room),
    'wrp:attachment:create': attachmentCreate(database, blobs, room),
    'wrp:mail:send': mailSend(jobs),
    'wrp:callback:wait': callbackWait(outbound, baseUrl),
  } satisfies Record<SupportedResource, Task>;
}
