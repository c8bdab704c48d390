import type { MachineError } from '../../../asl/index.ts';
import type { BlobStore } from '../../../blobs/index.ts';
import type { Json } from '../../../json/index.ts';
import { checkedUrl } from '../../../outbound/index.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Database } from '../../store/database.ts';
import { openTasks } from '../tasks/index.ts';
import { type Attempt, catchFailure } from '../tasks/task.ts';

/** Thrown when a task turns to the outside: its arguments are accepted. */
const accepted = new Error('The arguments are accepted.');

const outside = <T>(): T =>
  new Proxy({} as object, {
    get() {
      throw accepted;
    },
  }) as T;

/** The tasks of the platform, which reach nothing outside. */
const tasks = openTasks({
  database: outside<Database>(),
  blobs: outside<BlobStore>(),
  jobs: outside<Jobs>(),
  outbound: {
    async request({ url }) {
      checkedUrl(url);
      throw accepted;
    },
  },
  baseUrl: 'https://platform.example',
  storageQuota: undefined,
});

/** @throws if the resource is not supported, which a valid definition's is */
export function taskOf(resource: string) {
  const task = tasks[resource];
  if (!task) throw new Error(`There is no task ${resource}.`);
  return task;
}

/**
 * Checks the arguments of a task as the platform does, and the URL of a call apart from the address of its host.
 *
 * @returns the failure of the task, if any
 */
export async function argumentsFailure(
  resource: string,
  args: Json,
  attempt: Attempt,
): Promise<MachineError | undefined> {
  const task = taskOf(resource);
  if (task.kind === 'callback' && !task.needsRequest(args)) return undefined;
  const signal = new AbortController().signal;
  try {
    const checked = await catchFailure(args, async (object) => {
      if (task.kind === 'change') return task.prepare(object, attempt);
      if (task.kind === 'call') return task.call(object, attempt, signal);
      return task.request(object, attempt, { signal, token: '' });
    });
    return checked.kind === 'failed' ? checked.failure : undefined;
  } catch (error) {
    if (error !== accepted) throw error;
    return undefined;
  }
}
