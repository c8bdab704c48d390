import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Jobs, Workers } from '../jobs/jobs.ts';
import type { Maintenance } from '../maintenance/workers.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Database } from '../store/database.ts';
import { forgetDeliveries, requestOverdue } from '../store/webhook-deliveries.ts';
import { forgetKeys } from '../store/webhook-keys.ts';
import { deliveryWorker } from './delivery.ts';
import { startRelay } from './relay.ts';
import { signingKeys } from './signing-keys.ts';

const hour = 3_600_000;
/** How long what was delivered, or given up, can be looked up. */
const keptMilliseconds = 30 * 24 * hour;
/** A delivery waits longer than this for its turn only where nobody is to take it. */
const overdueMilliseconds = 6 * hour;

export interface Webhooks {
  workers: Pick<Workers, 'webhook-delivery'>;
  /** Begins to relay events. */
  start(): void;
  /** Part of the platform's regular housekeeping. */
  maintenance: Maintenance;
  stop(): Promise<void>;
}

/** All that goes on by itself so that receivers are told, in one environment. */
export function openWebhooks({
  database,
  jobs,
  outbound,
  encryptionKey,
  sandbox,
  logger,
  now,
  signingTime,
}: {
  database: Database;
  jobs: Jobs;
  outbound: Outbound;
  /** Encrypts the private keys. */
  encryptionKey: KeyObject;
  /** This is the sandbox environment. */
  sandbox: boolean;
  logger: Logger;
  now(): Date;
  signingTime(): Date;
}): Webhooks {
  const keys = signingKeys({ database, encryptionKey, now });
  let stop = async () => {};
  return {
    workers: {
      'webhook-delivery': deliveryWorker({
        database,
        jobs,
        outbound,
        keys,
        sandbox,
        logger,
        now,
        signingTime,
      }),
    },
    start() {
      stop = startRelay({ database, jobs, logger, now }).stop;
    },
    maintenance: {
      requestOverdue: (at) =>
        requestOverdue(database, { now: at, dueBefore: new Date(at.getTime() - overdueMilliseconds) }),
      forgetDeliveries: (at) => forgetDeliveries(database, new Date(at.getTime() - keptMilliseconds)),
      forgetKeys: (at) => forgetKeys(database, at),
    },
    stop: () => stop(),
  };
}
