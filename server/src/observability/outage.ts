import type { Bindings, Logger } from 'pino';
import { BlobsUnavailable } from '../../blobs/index.ts';
import { reasonOf } from '../../durable-files/index.ts';
import { DatabaseBusyError, isRefused, isUnavailable } from '../../postgres-client/index.ts';

/** How often it is tried during an outage, and how often the log repeats that it lasts. */
const probeMilliseconds = 1_000;
const reminderMilliseconds = 60_000;

type Part = 'database' | 'files';

export interface OutageLog {
  /** Logs as the logger it was made of, but counts errors of an outage instead of repeating them. */
  logger: Logger;
  /** Outages are recognized from now on. @param checks whether each part can be used; may throw */
  watch(checks: Record<Part, () => Promise<boolean>>): void;
  close(): void;
}

interface Outage {
  since: number;
  remindedAt: number;
  /** Lines that were not written. */
  omitted: number;
  /** Whether anything has failed since the last probe. */
  goesOn: boolean;
}

/**
 * Logs an outage as one line when something goes away, one a minute while it is, and one when it is back.
 *
 * @param name what is away
 * @param isBack whether it can be used again; may throw
 */
export function trackOutage(logger: Logger, name: string, isBack: () => Promise<boolean>) {
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const probe = async (current: Outage) => {
    const back = (await isBack().catch(() => false)) && !current.goesOn;
    if (outage !== current) return;
    const now = performance.now();
    const figures = { seconds: Math.round((now - current.since) / 1000), omittedLines: current.omitted };
    if (back) {
      outage = undefined;
      return logger.warn(figures, `${name} is available again`);
    }
    if (now - current.remindedAt >= reminderMilliseconds) {
      current.remindedAt = now;
      logger.error(figures, `${name} is still unavailable`);
    }
    current.goesOn = false;
    probeLater(current);
  };
  const probeLater = (current: Outage) => {
    timer = setTimeout(() => probe(current), probeMilliseconds).unref();
  };
  return {
    /** @param isOmitted whether it is one of the lines that are left out */
    failed(error: unknown, isOmitted = true) {
      if (isClosed) return;
      if (outage) {
        if (isOmitted) outage.omitted += 1;
        outage.goesOn = true;
        return;
      }
      const now = performance.now();
      outage = { since: now, remindedAt: now, omitted: 0, goesOn: false };
      logger.error({ err: error }, `${name} is unavailable`);
      probeLater(outage);
    },
    close() {
      isClosed = true;
      outage = undefined;
      clearTimeout(timer);
    },
  };
}

/** What can be away while the platform runs, with its name in the log and its errors. */
const parts: Record<Part, { name: string; isFailing(error: unknown): boolean }> = {
  files: { name: 'the file store', isFailing: (error) => error instanceof BlobsUnavailable },
  database: {
    name: 'the database',
    isFailing: (error) => (isUnavailable(error) || isRefused(error)) && !(error instanceof DatabaseBusyError),
  },
};

/**
 * A log with the outages of the database and the file store: every job fails then, each for the same reason. Requests
 * keep their own lines, without the stack.
 */
export function outageLog(logger: Logger): OutageLog {
  let checks: Record<Part, () => Promise<boolean>> | undefined;
  // In this order: the store's connections fail with the same codes as the database's.
  const tracked = Object.entries(parts).map(([part, { name, isFailing }]) => ({
    isFailing,
    outage: trackOutage(logger, name, async () => (await checks?.[part as Part]()) === true),
  }));
  /** Whether this is an error of an outage, which the log has. @param isOmitted whether its line is left out then */
  const isKnown = (error: unknown, isOmitted: boolean) => {
    const away = checks && tracked.find(({ isFailing }) => isFailing(error));
    away?.outage.failed(error, isOmitted);
    return away !== undefined;
  };
  return {
    logger: filtered(logger, isKnown),
    watch(given) {
      checks = given;
    },
    close() {
      checks = undefined;
      for (const { outage } of tracked) outage.close();
    },
  };
}

/** A logger, and its children, without warnings and errors whose `err` is known, unless they are about a request. */
function filtered(logger: Logger, isKnown: (error: unknown, isOmitted: boolean) => boolean): Logger {
  const own: Logger = Object.create(logger);
  for (const level of ['warn', 'error'] as const)
    own[level] = (...line: [object]) => {
      const [{ err, ...fields }, message] = line as unknown as [
        { err?: unknown; requestId?: string },
        string,
      ];
      if (!isKnown(err, !fields.requestId)) return logger[level](...line);
      // The caller has the ID, and asks what it stands for.
      if (fields.requestId) logger.warn({ ...fields, reason: reasonOf(err) }, message);
    };
  own.child = ((bindings: Bindings) => filtered(logger.child(bindings), isKnown)) as never;
  return own;
}
