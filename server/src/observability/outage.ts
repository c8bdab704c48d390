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
  /** Lines that were not written, in all and at the last probe. */
  omitted: number;
  omittedBefore: number;
}

/**
 * A log of one line when the database goes away, one a minute while it is, and one when it is back: every job and
 * request fails then, each for the same reason.
 */
export function outageLog(logger: Logger): OutageLog {
  let isBack: (() => Promise<boolean>) | undefined;
  let outage: Outage | undefined;
  let timer: NodeJS.Timeout | undefined;
  const probe = async (current: Outage) => {
    const back = (await isBack?.().catch(() => false)) && current.omitted === current.omittedBefore;
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
    current.omittedBefore = current.omitted;
    probeLater(current);
  };
  const probeLater = (current: Outage) => {
    timer = setTimeout(() => probe(current), probeMilliseconds).unref();
  };
  /** Whether this is an error of an outage that the log has. */
  const isKnown = (error: unknown) => {
    const isOutage = (isUnavailable(error) || isRefused(error)) && !(error instanceof DatabaseBusyError);
    if (!isBack || !isOutage) return false;
    if (outage) {
      outage.omitted += 1;
      return true;
    }
    const now = performance.now();
    outage = { since: now, remindedAt: now, omitted: 0, omittedBefore: 0 };
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

/** A logger, and its children, without warnings and errors whose `err` is known. */
function filtered(logger: Logger, isKnown: (error: unknown) => boolean): Logger {
  const own: Logger = Object.create(logger);
  for (const level of ['warn', 'error'] as const)
    own[level] = (...line: [object]) => {
      const [{ err }] = line as unknown as [{ err?: unknown }];
      if (!isKnown(err)) logger[level](...line);
    };
  own.child = ((bindings: Bindings) => filtered(logger.child(bindings), isKnown)) as never;
  return own;
}
