import type { Logger } from 'pino';
import { pauseAfter } from '../domain/webhook-schedule.ts';
import { signWebhook } from '../domain/webhook-signatures.ts';
import type { Jobs, RunningJob } from '../jobs/jobs.ts';
import { OutboundFailed, OutboundRefused } from '../outbound/errors.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { batch } from '../store/batch.ts';
import type { Database } from '../store/database.ts';
import {
  type Attempt,
  type AttemptMade,
  bringForward,
  cancelDelivery,
  type LoadedDelivery,
  loadDeliveries,
  recordAttempts,
} from '../store/webhook-deliveries.ts';
import { disableEndpoint, lockEndpoint, markFailing, markWell } from '../store/webhook-endpoints.ts';
import type { QueuedDelivery } from '../store/webhook-relay.ts';
import type { SigningKeys } from './signing-keys.ts';

const timeoutMilliseconds = 20_000;
/** What is read, or written, together at most. */
const most = 100;
/** After failing for so long, an endpoint that answers well gets at once what would have waited at least so long. */
const outageMilliseconds = 60_000;

export interface DeliveryOptions {
  database: Database;
  jobs: Jobs;
  outbound: Outbound;
  keys: SigningKeys;
  /** Everything in this environment is marked as of the sandbox. */
  sandbox: boolean;
  logger: Logger;
  now(): Date;
  /** When a message is signed, as receivers' clocks have it. */
  signingTime(): Date;
}

/** Makes one attempt of a delivery, writes down how it came out, and asks for the next one where it is needed. */
export function deliveryWorker(options: DeliveryOptions) {
  const { database } = options;
  const load = batch((ids: string[]) => loadDeliveries(database, ids), { most });
  const record = batch(
    async (attempts: AttemptMade[]) => {
      await recordAttempts(database, attempts);
      return attempts;
    },
    { most, concurrency: 2 },
  );
  return async ({ deliveryId, attempt }: QueuedDelivery, { signal }: RunningJob): Promise<void> => {
    const delivery = await load(deliveryId);
    // Made already, by an earlier job for it or before this one was taken over; or no longer wanted.
    if (delivery?.status !== 'pending' || delivery.attempts !== attempt - 1) return;
    if (!delivery.endpoint.enabled) return cancelDelivery(database, deliveryId);
    const made = await send(options, delivery, signal);
    const { status } = made;
    if (status !== null && status >= 200 && status < 300) {
      await record({ ...made, deliveryId, after: { status: 'delivered' } });
      if (delivery.endpoint.failingSince) await recover(options, delivery.endpoint);
    } else if (status === 410) {
      await disable(options, delivery, made);
    } else {
      await postpone(options, delivery, made);
    }
  };
}

/** The bytes that are sent, and signed. */
function bodyOf({ event }: LoadedDelivery): Buffer {
  const { workspaceId, data, ...rest } = event;
  return Buffer.from(JSON.stringify({ ...rest, ...(workspaceId && { workspaceId }), data }));
}

/** @throws only where the attempt was not made, or given up by us: the job is then to be done again */
async function send(
  { outbound, keys, sandbox, now, signingTime }: DeliveryOptions,
  delivery: LoadedDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const body = bodyOf(delivery);
  const key = await keys.current();
  const at = now();
  const startedAt = performance.now();
  const ended = (status: number | null, error: string | null): Attempt => {
    const milliseconds = Math.round(performance.now() - startedAt);
    return { number: delivery.attempts + 1, at, milliseconds, status, error };
  };
  try {
    const { status } = await outbound.request({
      url: delivery.endpoint.url,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Webhook-Signature': signWebhook(body, key, signingTime()),
        ...((sandbox || delivery.sandbox) && { 'Webhook-Sandbox': 'true' }),
      },
      body,
      timeoutMilliseconds,
      maximumBytes: 0,
      signal,
    });
    return ended(status, status >= 300 && status < 400 ? 'redirect_not_followed' : null);
  } catch (error) {
    if (error instanceof OutboundRefused || error instanceof OutboundFailed) return ended(null, error.reason);
    throw error;
  }
}

/** The receiver wants no more. */
async function disable(
  { database, logger, now }: DeliveryOptions,
  { id: deliveryId, endpoint }: LoadedDelivery,
  attempt: Attempt,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockEndpoint(transaction, endpoint.id);
    await recordAttempts(transaction, [{ ...attempt, deliveryId, after: { status: 'cancelled' } }]);
    await disableEndpoint(transaction, endpoint.id, 'receiver', now());
  });
  logger.warn({ endpointId: endpoint.id }, 'webhook endpoint answered 410 and is disabled');
}

/** An outage is over: what would wait for hours more goes now. */
async function recover(
  { database, logger, now }: DeliveryOptions,
  { id, failingSince }: LoadedDelivery['endpoint'],
): Promise<void> {
  const recovered = await markWell(database, id);
  const at = now();
  if (!recovered || !failingSince || at.getTime() - failingSince.getTime() < outageMilliseconds) return;
  const hurried = await bringForward(database, id, {
    now: at,
    after: new Date(at.getTime() + outageMilliseconds),
  });
  logger.info({ endpointId: id, failingSince, hurried }, 'webhook endpoint answers again');
}

async function postpone(
  { database, jobs, logger, now }: DeliveryOptions,
  delivery: LoadedDelivery,
  attempt: Attempt,
): Promise<void> {
  const { id, endpoint } = delivery;
  const { status, error } = attempt;
  // Once for an outage, not for each attempt in it.
  if (!endpoint.failingSince)
    logger.warn({ endpointId: endpoint.id, status, error }, 'webhook endpoint fails');
  const pause = pauseAfter(attempt.number - delivery.attemptsBefore);
  await database.transaction().execute(async (transaction) => {
    if (!endpoint.failingSince) await markFailing(transaction, endpoint.id, attempt.at);
    if (pause === undefined) {
      await recordAttempts(transaction, [{ ...attempt, deliveryId: id, after: { status: 'failed' } }]);
      return;
    }
    const nextAttemptAt = new Date(now().getTime() + pause);
    const after = { status: 'pending' as const, nextAttemptAt };
    await recordAttempts(transaction, [{ ...attempt, deliveryId: id, after }]);
    const next = { deliveryId: id, endpointId: endpoint.id, attempt: attempt.number + 1, failing: true };
    await jobs.enqueue(transaction, 'webhook-delivery', next, { delayMilliseconds: pause });
  });
}
