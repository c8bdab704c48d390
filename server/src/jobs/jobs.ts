import * as queue from '../../job-queue/index.ts';
import { requestsAtATime } from '../domain/webhooks.ts';
import type { Schema } from '../store/schema.ts';
import type { DeliveryJob } from '../store/webhook-relay.ts';

/** The job types and their data. */
export interface JobData {
  /**
   * Runs a thread of an execution from its checkpoint, unless a job of a later turn has it already. `dueAt`: the job
   * checks the deadline of a callback, which may have moved since.
   */
  'execution-step': { threadId: string; turn: number; dueAt?: string };
  /** The same for a thread whose step exceeds the limits under which `execution-step` evaluates it. */
  'execution-slow-step': { threadId: string; turn: number; dueAt?: string; organizationId: string };
  /** Makes the call that a thread waits for, then runs the thread. `failingGroup`: its host fails; see `hostHealth`. */
  'execution-call': {
    threadId: string;
    turn: number;
    organizationId: string;
    failingGroup?: string | undefined;
  };
  /** Makes attempts of deliveries, unless they have been made already. */
  'webhook-delivery': DeliveryJob;
  mail: MailJob;
  'identity-provider-mfa-reset': { idpId: string };
  maintenance: Record<string, never>;
  'blob-sweep': Record<string, never>;
}

/** A message to send: complete, or a template that is filled when it is sent, so that the queue stores no secret. */
export type MailJob = (WrittenMail | { template: { kind: 'link'; linkId: string } }) & {
  /** Of the request or job that sends it. */
  traceparent?: string | undefined;
};

export interface WrittenMail {
  /** One address. */
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Messages of a SANDBOX workspace are marked. */
  workspaceId: string;
  /** Whose task sends it. */
  executionId?: string;
}

export type JobName = keyof JobData;
export type RunningJob = queue.RunningJob;
export type Workers = queue.Workers<JobData>;
export type Jobs = queue.JobAdder<JobData, Schema>;
/** Signaled after a commit with new events: the relay listens. */
export const eventsTopic = 'events';
export type JobQueue = queue.JobQueue<JobData, Schema>;
type Options = queue.JobQueueOptions<JobData>;

/** Retried with a growing delay over about a day, then kept as failed. */
const overADay = { retryLimit: 12, retryDelay: 5, retryBackoff: true, retryDelayMax: 4 * 3600 };
/** After a crash, another process takes over the jobs: within 15 seconds those of a group, the others within half a minute. */
const heartbeatSeconds = 10;
/**
 * Many jobs, whose outcome is stored elsewhere, so finished ones need not be kept. What fails is retried for at least 30 days, the longest time that anything waits for
 * them: an outage may end no execution.
 */
const frequent = {
  retryLimit: 100_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  heartbeatSeconds,
  deleteAfterSeconds: 600,
  retentionSeconds: 60 * 86_400,
};

const queues: Options['queues'] = {
  'execution-step': {
    queue: { ...frequent, expireInSeconds: 300 },
    concurrency: 2,
    batchSize: 20,
  },
  // One job for each organization at a time, so that slow definitions delay only their own organization.
  'execution-slow-step': { queue: { ...frequent, expireInSeconds: 300 }, limits: { all: 2, group: 1 } },
  // Slow servers of one organization leave slots for the calls of others.
  'execution-call': {
    queue: { ...frequent, expireInSeconds: 1800 },
    limits: { all: 256, group: 100, tiers: { failing: 4 } },
  },
  'webhook-delivery': {
    queue: { ...frequent, expireInSeconds: 120 },
    limits: { all: 256, group: requestsAtATime, tiers: { failing: 4 } },
  },
  mail: { queue: { ...overADay, heartbeatSeconds, expireInSeconds: 120 }, concurrency: 4 },
  'identity-provider-mfa-reset': { queue: { ...overADay, heartbeatSeconds, expireInSeconds: 60 } },
  maintenance: { queue: { retryLimit: 0, expireInSeconds: 600 } },
  // A separate job, because listing a large store takes minutes, and only one at a time in all processes. After a
  // crash, the next scheduled job is soon enough.
  'blob-sweep': {
    queue: { policy: 'exclusive', retryLimit: 0, expireInSeconds: 6 * 3600, heartbeatSeconds: 60 },
  },
};

const schedules: Options['schedules'] = { maintenance: '*/15 * * * *', 'blob-sweep': '7 * * * *' };

/** Opens the job queue of one environment. */
export function openJobs(options: Omit<Options, 'queues' | 'schedules' | 'rankOf'>): Promise<JobQueue> {
  return queue.openJobQueue<JobData, Schema>({ ...options, queues, schedules, rankOf });
}

/**
 * The group whose concurrency limit a job shares: the endpoint of a delivery, the organization of a call or slow step. A
 * mail and a request to the identity provider have one without a limit, so that a round finds those of dead workers.
 *
 * Deliveries to a failing endpoint are a group of their own: once it works again, its other deliveries must not keep
 * them waiting. So are calls of a failing host. They start after all others: otherwise many of them would fill each fetch,
 * although few may start.
 */
function rankOf(data: object): { group?: { id: string; tier?: string }; priority?: number } {
  if ('organizationId' in data) {
    const { organizationId: id, failingGroup } = data as JobData['execution-call'];
    return failingGroup === undefined ? { group: { id } } : failing(`${id} ${failingGroup}`);
  }
  if ('to' in data || 'template' in data) return { group: { id: 'mail' } };
  if ('idpId' in data) return { group: { id: 'identity-provider' } };
  if (!('endpointId' in data)) return {};
  const { endpointId: id, failing: isFailing = false } = data as { endpointId: string; failing?: boolean };
  return isFailing ? failing(id) : { group: { id } };
}

const failing = (id: string) => ({ group: { id: `${id} failing`, tier: 'failing' }, priority: -1 });
