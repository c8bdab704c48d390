import type { KeyObject } from 'node:crypto';
import type { Logger } from 'pino';
import type { Jobs, Workers } from '../jobs/jobs.ts';
import type { Maintenance } from '../maintenance/workers.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Database } from '../store/database.ts';
import { deleteOldDeliveries, requestOverdue } from '../store/webhook-deliveries.ts';
import { deleteExpiredKeys } from '../store/webhook-keys.ts';
import { deliveryWorker } from './delivery.ts';
import { startRelay } from './relay.ts';
import { signingKeys } from './signing-keys.ts';

const hour = 3_600_000;
/** How long completed deliveries are kept. */
const retentionMilliseconds = 30 * 24 * hour;
/** A delivery that is this late has lost its job. */
const overdueMilliseconds = 6 * hour;

interface Webhooks {
  workers: Pick<Workers, 'webhook-delivery'>;
  /** Starts the relay. */
  start(): void;
  maintenance: Maintenance;
  stop(): Promise<void>;
}

interface WebhookOptions {
  database: Database;
  jobs: Jobs;
  outbound: Outbound;
  /** Encrypts the private keys. */
  encryptionKey: KeyObject;
  /** Whether this is the sandbox environment. */
  sandbox: boolean;
  /** Whether its events can be polled for. */
  pollable: boolean;
  logger: Logger;
  now(): Date;
  signingTime(): Date;
}

/** Relays and delivers the events of one environment. */
export function openWebhooks({ encryptionKey, ...options }: WebhookOptions): Webhooks {
  const { database, now } = options;
  const keys = signingKeys({ database, encryptionKey, now });
  let stop = async () => {};
  return {
    workers: {
      'webhook-delivery': deliveryWorker({ ...options, keys }),
    },
    start() {
      stop = startRelay(options).stop;
    },
    maintenance: {
      requestOverdue: (at) =>
        requestOverdue(database, { now: at, dueBefore: new Date(at.getTime() - overdueMilliseconds) }),
      deleteOldDeliveries: (at) =>
        deleteOldDeliveries(database, new Date(at.getTime() - retentionMilliseconds)),
      deleteExpiredKeys: (at) => deleteExpiredKeys(database, at),
    },
    stop: () => stop(),
  };
}
