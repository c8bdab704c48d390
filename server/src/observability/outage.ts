import type { Bindings, Logger } from 'pino';
import { DatabaseBusyError, isRefused, isUnavailable } from '../../postgres-client/index.ts';

/** How often the database is tried while it is away, and how often the log repeats that it is. */
const probeMilliseconds = 1_000;
const reminderMilliseconds = 60_000;

export interface OutageLog {
  /** Logs as the logger it was made of, but counts errors of an outage instead of repeating them. */
  logger: Logger;
  /** Outages are recognized from now on. @param isBack whether the database can be used; may throw */
  watch(isBack: () => Promise<boolean>): void;
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
 * A log of one line when the database goes away, one a minute while it is, and one when it is back: every job fails then,
 * each for the same reason. Requests keep their own lines.
 */
export function outageLog(logger: Logger): OutageLog {
  let isBack: (() => Promise<boolean>) | undefined;
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (current: Outage) => {
    const back = (await isBack?.().catch(() => false)) && !current.goesOn;
    if (outage !== current) return;
    const now = performance.now();
    const figures = { seconds: Math.round((now - current.since) / 1000), omittedLines: current.omitted };
    if (back) {
      outage = undefined;
      return logger.warn(figures, 'the database is available again');
    }
    if (now - current.remindedAt >= reminderMilliseconds) {
      current.remindedAt = now;
      logger.error(figures, 'the database is still unavailable');
    }
    current.goesOn = false;
    probeLater(current);
  };
  const probeLater = (current: Outage) => {
    timer = setTimeout(() => probe(current), probeMilliseconds).unref();
  };
  /** Whether this is an error of an outage, which the log has. @param isOmitted whether its line is left out then */
  const isKnown = (error: unknown, isOmitted: boolean) => {
    const isOutage = (isUnavailable(error) || isRefused(error)) && !(error instanceof DatabaseBusyError);
    if (!isBack || !isOutage) return false;
    if (outage) {
      if (isOmitted) outage.omitted += 1;
      outage.goesOn = true;
      return true;
    }
    const now = performance.now();
    outage = { since: now, remindedAt: now, omitted: 0, goesOn: false };
    logger.error({ err: error }, 'the database is unavailable');
    probeLater(outage);
    return true;
  };
  return {
    logger: filtered(logger, isKnown),
    watch(check) {
      isBack = check;
    },
    close() {
      isBack = undefined;
      outage = undefined;
      clearTimeout(timer);
    },
  };
}

/** A logger, and its children, without warnings and errors whose `err` is known, unless they are about a request. */
function filtered(logger: Logger, isKnown: (error: unknown, isOmitted: boolean) => boolean): Logger {
  const own: Logger = Object.create(logger);
  for (const level of ['warn', 'error'] as const)
    own[level] = (...line: [object]) => {
      const [{ err, requestId }] = line as unknown as [{ err?: unknown; requestId?: string }];
      // The caller has the ID, and asks what it stands for.
      if (!isKnown(err, !requestId) || requestId) logger[level](...line);
    };
  own.child = ((bindings: Bindings) => filtered(logger.child(bindings), isKnown)) as never;
  return own;
}
