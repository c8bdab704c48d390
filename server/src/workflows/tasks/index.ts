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
import type { Task, Tasks } from './task.ts';

/** Every task, by the resource that a definition names: those that `validateDefinition` lets pass. */
export function openTasks({
  database,
  blobs,
  jobs,
  outbound,
  baseUrl,
}: {
  database: Database;
  blobs: BlobStore;
  jobs: Jobs;
  outbound: Pick<Outbound, 'request'>;
  baseUrl: string;
}): Tasks {
  return {
    'wrp:http:call': httpCall(outbound),
    'wrp:resource:create': resourceCreate(blobs),
    'wrp:attachment:create': attachmentCreate(database, blobs),
    'wrp:mail:send': mailSend(jobs),
    'wrp:callback:wait': callbackWait(outbound, baseUrl),
  } satisfies Record<SupportedResource, Task>;
}
