import type { Logger } from 'pino';
import { batch } from '../../postgres-client/index.ts';
import type { Database } from '../store/database.ts';
import { bringForward } from '../store/webhook-deliveries.ts';
import { type EndpointChange, recordOutcomes } from '../store/webhook-endpoints.ts';

/** After an outage of at least this long, retries that would start later than this are brought forward. */
const outageMilliseconds = 60_000;
/** Outcomes per statement. */
const batchSize = 100;

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
export function endpointHealth({
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
