import type { Logger } from 'pino';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../outbound/index.ts';
import { batch } from '../../postgres-client/index.ts';
import { pauseAfter, signWebhook, webhookBody, webhookHeaders } from '../domain/webhooks.ts';
import type { Jobs, RunningJob } from '../jobs/jobs.ts';
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
import {
  disableEndpoint,
  type EndpointChange,
  lockEndpoint,
  recordOutcomes,
} from '../store/webhook-endpoints.ts';
import type { QueuedDelivery } from '../store/webhook-relay.ts';
import { identifiersOf, joinTrace, note } from '../tracing/trace.ts';
import type { SigningKeys } from './signing-keys.ts';

const timeoutMilliseconds = 20_000;
/** Deliveries per query, and outcomes per statement. */
const batchSize = 100;

interface DeliveryOptions {
  database: Database;
  jobs: Jobs;
  outbound: Outbound;
  keys: SigningKeys;
  /** Whether this is the sandbox environment, whose deliveries are all marked. */
  sandbox: boolean;
  logger: Logger;
  now(): Date;
  /** The time of signatures, which receivers compare with their own clock. */
  signingTime(): Date;
}

/** Makes one attempt of a delivery, records its outcome and schedules the next attempt if necessary. */
export function deliveryWorker(options: DeliveryOptions) {
  const { database } = options;
  const load = batch((ids: string[]) => loadDeliveries(database, ids), { max: batchSize });
  const record = batch(
    async (attempts: AttemptMade[]) => {
      await recordAttempts(database, attempts);
      return attempts;
    },
    { max: batchSize, concurrency: 2 },
  );
  const recordHealth = endpointHealth(options);
  return async (
    { deliveryId, attempt }: Pick<QueuedDelivery, 'deliveryId' | 'attempt'>,
    { signal }: RunningJob,
  ): Promise<void> => {
    const delivery = await load(deliveryId);
    // The attempt was made by another run of the job, or the delivery was cancelled.
    if (delivery?.status !== 'pending' || delivery.attempts !== attempt - 1) return;
    const { id: endpointId, enabled, hasFailures } = delivery.endpoint;
    const { id: eventId, type: eventType, data } = delivery.event;
    const ids = { eventId, eventType, deliveryId, endpointId, attempt };
    joinTrace(delivery.traceparent, { ...identifiersOf(data), ...ids });
    if (!enabled) return cancelDelivery(database, deliveryId);
    const made = await send(options, delivery, signal);
    const { status, error, at } = made;
    note({ status, error });
    if (status !== null && status >= 200 && status < 300) {
      await record({ ...made, deliveryId, after: { status: 'delivered' } });
      if (hasFailures) await recordHealth({ endpointId, failed: false, at });
    } else if (status === 410) {
      await disable(options, delivery, made);
    } else {
      const failing = await recordHealth({ endpointId, failed: true, at });
      await postpone(options, delivery, { ...made, failing });
    }
  };
}

/** @throws if the attempt was not made or was aborted; the queue then retries the job */
async function send(
  { outbound, keys, sandbox, now, signingTime }: DeliveryOptions,
  delivery: LoadedDelivery,
  signal: AbortSignal,
): Promise<Attempt> {
  const { event } = delivery;
  const body = webhookBody(event);
  const key = await keys.current();
  const signature = signWebhook(body, key, signingTime());
  const headers = {
    ...webhookHeaders({ signature }),
    ...((sandbox || delivery.sandbox) && { 'Webhook-Sandbox': 'true' }),
  };
  const at = now();
  const startedAt = performance.now();
  const attempt = (status: number | null, error: string | null): Attempt => {
    const milliseconds = Math.round(performance.now() - startedAt);
    return { number: delivery.attempts + 1, at, milliseconds, status, error };
  };
  try {
    const { status } = await outbound.request({
      url: delivery.endpoint.url,
      method: 'POST',
      headers,
      body,
      timeoutMilliseconds,
      maximumBytes: 0,
      signal,
    });
    return attempt(status, status >= 300 && status < 400 ? 'redirect_not_followed' : null);
  } catch (error) {
    if (error instanceof OutboundRefused || error instanceof OutboundFailed)
      return attempt(null, error.reason);
    throw error;
  }
}

/** Status 410: the receiver has unsubscribed. */
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
  logger.warn({ endpointId: endpoint.id }, 'webhook endpoint responded with 410 and is disabled');
}

/** @param attempt with whether most of the endpoint's last attempts failed */
async function postpone(
  { database, jobs, now }: DeliveryOptions,
  { id, endpoint, attemptsBefore }: LoadedDelivery,
  { failing, ...attempt }: Attempt & { failing: boolean },
): Promise<void> {
  const pause = pauseAfter(attempt.number - attemptsBefore);
  if (pause === undefined) {
    await recordAttempts(database, [{ ...attempt, deliveryId: id, after: { status: 'failed' } }]);
    return;
  }
  await database.transaction().execute(async (transaction) => {
    const nextAttemptAt = new Date(now().getTime() + pause);
    const after = { status: 'pending' as const, nextAttemptAt };
    await recordAttempts(transaction, [{ ...attempt, deliveryId: id, after }]);
    const next = { deliveryId: id, endpointId: endpoint.id, attempt: attempt.number + 1, failing };
    await jobs.enqueue(transaction, 'webhook-delivery', next, { delayMilliseconds: pause });
  });
}

/** After an outage of at least this long, retries that would start later than this are brought forward. */
const outageMilliseconds = 60_000;

interface AttemptOutcome {
  endpointId: string;
  failed: boolean;
  at: Date;
}

/**
 * Records outcomes of attempts for their endpoints, so that one of which most of the last 20 attempts failed is called
 * less often at the same time. An endpoint that recovers from an outage gets its retries at once.
 *
 * @returns a function that records an outcome, and returns whether the endpoint is failing
 */
function endpointHealth({
  database,
  logger,
  now,
}: {
  database: Database;
  logger: Logger;
  now(): Date;
}): (outcome: AttemptOutcome) => Promise<boolean> {
  const recover = async ({ id, wasFailingSince }: EndpointChange) => {
    const at = now();
    if (!wasFailingSince || at.getTime() - wasFailingSince.getTime() < outageMilliseconds) return;
    const broughtForward = await bringForward(database, id, {
      now: at,
      after: new Date(at.getTime() + outageMilliseconds),
    });
    logger.info(
      { endpointId: id, failingSince: wasFailingSince, broughtForward },
      'webhook endpoint recovered',
    );
  };
  return batch(
    async (outcomes: AttemptOutcome[]) => {
      const made = Object.entries(Object.groupBy(outcomes, ({ endpointId }) => endpointId)).map(
        ([endpointId, its = []]) => ({ endpointId, outcomes: its }),
      );
      const changes = await recordOutcomes(database, made);
      for (const change of changes) {
        const { id: endpointId, failing, wasFailing, failingSince, wasFailingSince } = change;
        if (failing && !wasFailing)
          logger.warn({ endpointId, failingSince }, 'most recent attempts of a webhook endpoint failed');
        // Its retries keep their schedule if this fails.
        if (wasFailingSince && failingSince?.getTime() !== wasFailingSince.getTime())
          await recover(change).catch((err) =>
            logger.error({ err, endpointId }, 'recovery of a webhook endpoint'),
          );
      }
      const failing = new Map(changes.map(({ id, failing }) => [id, failing]));
      return outcomes.map(({ endpointId }) => failing.get(endpointId) ?? false);
    },
    { max: batchSize },
  );
}
