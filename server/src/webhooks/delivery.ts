import { pauseAfter } from '../domain/webhook-schedule.ts';
import { signWebhook } from '../domain/webhook-signatures.ts';
import type { Jobs, RunningJob } from '../jobs/jobs.ts';
import { OutboundFailed, OutboundRefused } from '../outbound/errors.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Database } from '../store/database.ts';
import {
  type Attempt,
  bringForward,
  cancelDelivery,
  type LoadedDelivery,
  loadDelivery,
  recordAttempt,
} from '../store/webhook-deliveries.ts';
import { disableEndpoint, lockEndpoint, markFailing, markWell } from '../store/webhook-endpoints.ts';
import type { QueuedDelivery } from '../store/webhook-relay.ts';
import type { SigningKeys } from './signing-keys.ts';

const timeoutMilliseconds = 20_000;
/** After failing for so long, an endpoint that answers well gets at once what would have waited at least so long. */
const outageMilliseconds = 60_000;

export interface DeliveryOptions {
  database: Database;
  jobs: Jobs;
  outbound: Outbound;
  keys: SigningKeys;
  /** Everything in this environment is marked as of the sandbox. */
  sandbox: boolean;
  now(): Date;
}

/** Makes one attempt of a delivery, writes down how it came out, and asks for the next one where it is needed. */
export function deliveryWorker(options: DeliveryOptions) {
  const { database } = options;
  return async ({ deliveryId, attempt }: QueuedDelivery, { signal }: RunningJob): Promise<void> => {
    const delivery = await loadDelivery(database, deliveryId);
    // Made already, by an earlier job for it or before this one was taken over; or no longer wanted.
    if (delivery?.status !== 'pending' || delivery.attempts !== attempt - 1) return;
    if (!delivery.endpoint.enabled) return cancelDelivery(database, deliveryId);
    await settle(options, delivery, await send(options, delivery, signal));
  };
}

/** The bytes that are sent, and signed. */
function bodyOf({ event }: LoadedDelivery): Buffer {
  const { workspaceId, data, ...rest } = event;
  return Buffer.from(JSON.stringify({ ...rest, ...(workspaceId && { workspaceId }), data }));
}

/** @throws only where the attempt was not made, or given up by us: the job is then to be done again */
async function send(
  { outbound, keys, sandbox, now }: DeliveryOptions,
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
        'Webhook-Signature': signWebhook(body, key, at),
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

async function settle(options: DeliveryOptions, delivery: LoadedDelivery, attempt: Attempt): Promise<void> {
  const { database, now } = options;
  const { status } = attempt;
  if (status !== null && status >= 200 && status < 300) {
    await recordAttempt(database, delivery.id, attempt, { status: 'delivered' });
    if (delivery.endpoint.failingSince) await recover(database, delivery.endpoint, now());
  } else if (status === 410) {
    await database.transaction().execute(async (transaction) => {
      await lockEndpoint(transaction, delivery.endpoint.id);
      await recordAttempt(transaction, delivery.id, attempt, { status: 'cancelled' });
      await disableEndpoint(transaction, delivery.endpoint.id, 'receiver', now());
    });
  } else {
    await postpone(options, delivery, attempt);
  }
}

/** An outage is over: what would wait for hours more goes now. */
async function recover(database: Database, { id, failingSince }: LoadedDelivery['endpoint'], now: Date) {
  const recovered = await markWell(database, id);
  if (!recovered || !failingSince || now.getTime() - failingSince.getTime() < outageMilliseconds) return;
  await bringForward(database, id, { now, after: new Date(now.getTime() + outageMilliseconds) });
}

async function postpone(
  { database, jobs, now }: DeliveryOptions,
  delivery: LoadedDelivery,
  attempt: Attempt,
): Promise<void> {
  const { id, endpoint } = delivery;
  const pause = pauseAfter(attempt.number - delivery.attemptsBefore);
  await database.transaction().execute(async (transaction) => {
    if (!endpoint.failingSince) await markFailing(transaction, endpoint.id, attempt.at);
    if (pause === undefined) {
      await recordAttempt(transaction, id, attempt, { status: 'failed' });
      return;
    }
    const nextAttemptAt = new Date(now().getTime() + pause);
    await recordAttempt(transaction, id, attempt, { status: 'pending', nextAttemptAt });
    const next = { deliveryId: id, endpointId: endpoint.id, attempt: attempt.number + 1, failing: true };
    await jobs.enqueue(transaction, 'webhook-delivery', next, { delayMilliseconds: pause });
  });
}
