import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from './database.ts';

/** How often the skew is measured. */
const measuringMilliseconds = 60_000;
/** The statement with the shortest round trip counts: the first one on a connection takes longer. */
const samples = 3;
/** Beyond it, the operator is warned. */
export const toleratedSkewMilliseconds = 5_000;

/** How far the clock of this process is ahead of the database's, and by how much that may be wrong. */
export interface ClockSkew {
  milliseconds: number;
  uncertainty: number;
}

/**
 * The time of the database. Processes compare and store times of one another, so all of them must use one clock, however
 * their own are set.
 */
export interface DatabaseClock {
  now(): Date;
  /** How many seconds the clock of this process is ahead; negative: behind. */
  skewSeconds(): number;
  /** @throws if the database cannot be reached */
  measure(database: Database): Promise<void>;
  /** Measures every minute from now on. */
  follow(database: Database): void;
  stop(): void;
}

/** Until it is measured, it is the clock of the process. */
export function databaseClock(logger: Logger): DatabaseClock {
  let skew = 0;
  let isWarned = false;
  let timer: NodeJS.Timeout | undefined;
  const warn = () => {
    const isTooMuch = Math.abs(skew) > toleratedSkewMilliseconds;
    if (isTooMuch === isWarned) return;
    isWarned = isTooMuch;
    const seconds = Math.round(skew / 100) / 10;
    if (isTooMuch)
      logger.warn(
        { skewSeconds: seconds },
        `the clock of this machine is ${Math.abs(seconds)} s ${skew > 0 ? 'ahead of' : 'behind'} the database's: synchronize both with NTP. The platform uses the time of the database`,
      );
    else logger.warn({ skewSeconds: seconds }, "the clock of this machine agrees with the database's again");
  };
  const measure = async (database: Database) => {
    const { milliseconds, uncertainty } = await clockSkew(database);
    // A smaller difference may be due to the measurement.
    if (Math.abs(milliseconds - skew) > uncertainty) skew = milliseconds;
    warn();
  };
  return {
    now: () => new Date(Date.now() - skew),
    skewSeconds: () => skew / 1000,
    measure,
    follow(database) {
      timer = setInterval(() => measure(database).catch(() => {}), measuringMilliseconds).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/** Measured as NTP does: the database read its clock in the middle of the round trip, give or take half of it. */
export async function clockSkew(database: Database): Promise<ClockSkew> {
  let best: ClockSkew | undefined;
  for (let sample = 0; sample < samples; sample++) {
    const [sentAt, started] = [Date.now(), performance.now()];
    const { rows } = await sql<{ at: number }>`
      select extract(epoch from clock_timestamp())::double precision * 1000 as at`.execute(database);
    const half = (performance.now() - started) / 2;
    const skew = { milliseconds: sentAt + half - (rows[0]?.at as number), uncertainty: half + 1 };
    if (!best || skew.uncertainty < best.uncertainty) best = skew;
  }
  return best as ClockSkew;
}

/** For commands, which are done within a moment. */
export async function databaseTime(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  return rows[0]?.now as Date;
}

/** PostgreSQL has no year 0, which RFC 3339 allows. */
const earliest = new Date('0001-01-01T00:00:00Z');

/** A time with which stored ones can be compared: nothing is older than the first year. */
export const comparable = (time: Date): Date => (time < earliest ? earliest : time);
