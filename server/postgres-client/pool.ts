import pg from 'pg';
import { DatabaseBusyError } from './failures.ts';

/** The weight of the latest use of a connection in the average duration. */
const latestWeight = 0.1;
const defaultReturnMilliseconds = 30_000;
/** How often the pool looks for callers that have waited too long. */
const tickMilliseconds = 50;
/** What a turn of the event loop counts at most. On a busy process, ticks come late. */
const mostOfATurn = 2 * tickMilliseconds;

export interface PoolUsage {
  /** Maximum number of connections. */
  max: number;
  /** Connections that callers have or are opening. */
  inUse: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
  /** Callers that were refused a connection so far. */
  refused: number;
}

export interface ConnectionPool {
  /**
   * A connection; the caller releases it. The caller who has waited longest gets the next free one.
   *
   * @param maximumWait milliseconds, for one that others use; the time for which the process was held does not count
   * @throws DatabaseBusyError if none is free after this time, or at once if recent uses of connections took so long
   *   that none will be; another error if the server does not open one within `connectionTimeoutMillis`
   */
  acquire(maximumWait: number): Promise<pg.PoolClient>;
  usage(): PoolUsage;
  end(): Promise<void>;
}

interface Waiting {
  /** By the clock of the pool. */
  deadline: number;
  start(): void;
  refuse(): void;
}

/** A connection that is taken from the driver's pool. */
interface Taken {
  client: pg.PoolClient;
  /** Undefined: at rest. */
  usedSince: number | undefined;
  /** Returns it to the driver's pool. */
  giveBack: pg.PoolClient['release'];
}

/**
 * A clock that nearly stands still while the event loop is held: a turn of the loop counts as two ticks at most. A timer
 * that was due meanwhile fires before the sockets are read, which may have held the awaited response for long.
 */
function loopClock(ticked: () => void) {
  let time = 0;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  const now = () => (timer ? time + Math.min(performance.now() - last, mostOfATurn) : time);
  const tick = () => {
    time = now();
    last = performance.now();
    // After the sockets are read.
    setImmediate(ticked);
  };
  return {
    now,
    /** Without effect if it runs. */
    start() {
      if (timer) return;
      last = performance.now();
      timer = setInterval(tick, tickMilliseconds).unref();
    },
    stop() {
      time = now();
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** What the driver's pool checks, too. */
function isBroken(client: pg.PoolClient): boolean {
  const { _queryable, _ending } = client as unknown as { _queryable: boolean; _ending: boolean };
  return !_queryable || _ending;
}

/**
 * A pool that limits how long its callers wait, each by its own limit. It takes connections from the driver's pool and
 * keeps them between callers, because the driver's pool sets a timer and changes listeners for each of them.
 *
 * @param options of the driver's pool
 * @param onConnectionLost called when an idle connection breaks; the pool replaces it
 * @param returnMilliseconds how often connections at rest return to the driver's pool, which closes old and unused ones
 */
export function openPool(
  options: pg.PoolConfig & { max: number },
  onConnectionLost: (error: Error) => void,
  returnMilliseconds = defaultReturnMilliseconds,
): ConnectionPool {
  const { max, connectionTimeoutMillis: connectionTimeout = 0 } = options;
  const pool = new pg.Pool(options);
  pool.on('error', onConnectionLost);
  const waiting = new Set<Waiting>();
  /** Connections at rest, the latest last. */
  let resting: Taken[] = [];
  let hasEnded = false;
  let inUse = 0;
  let refused = 0;
  /** Milliseconds for which a connection is used, without those for which the process was held. */
  let averageUse = 0;
  const clock = loopClock(() => {
    if (inUse === 0) clock.stop();
    for (const caller of waiting) if (caller.deadline <= clock.now()) caller.refuse();
  });

  // The driver's pool handles errors of its idle connections only. If a connection breaks in use, its statement fails;
  // without this listener, the process would exit as well.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      const taken = resting.find((each) => each.client === client);
      if (!taken) return;
      resting = resting.filter((each) => each !== taken);
      taken.giveBack(error);
      onConnectionLost(error);
    }),
  );
  const returnResting = () => {
    for (const { giveBack } of resting.splice(0)) giveBack();
  };
  const returning = setInterval(returnResting, returnMilliseconds).unref();

  const free = (usedSince: number) => {
    inUse -= 1;
    averageUse += (clock.now() - usedSince - averageUse) * latestWeight;
    const [next] = waiting;
    next?.start();
  };
  const release = (taken: Taken, discard?: Error | boolean) => {
    const { client, usedSince, giveBack } = taken;
    if (usedSince === undefined) throw new Error('The connection has been released already.');
    taken.usedSince = undefined;
    if (discard || hasEnded || isBroken(client)) giveBack(discard);
    else resting.push(taken);
    free(usedSince);
  };
  const open = async (usedSince: number): Promise<pg.PoolClient> => {
    const [startedAt, servedFrom] = [performance.now(), clock.now()];
    try {
      const client = await pool.connect();
      const taken = { client, usedSince, giveBack: client.release };
      client.release = (discard) => release(taken, discard);
      return client;
    } catch (error) {
      // The driver's timer fired before the sockets were read.
      const timedOut = connectionTimeout > 0 && performance.now() - startedAt >= connectionTimeout;
      if (timedOut && clock.now() - servedFrom < connectionTimeout / 2) return open(usedSince);
      free(usedSince);
      throw error;
    }
  };
  const connect = (): Promise<pg.PoolClient> => {
    inUse += 1;
    clock.start();
    const usedSince = clock.now();
    const taken = resting.pop();
    if (!taken) return open(usedSince);
    taken.usedSince = usedSince;
    return Promise.resolve(taken.client);
  };

  return {
    acquire(maximumWait) {
      const isFull = inUse >= max;
      if (isFull && (averageUse * (waiting.size + 1)) / max > maximumWait) {
        refused += 1;
        return Promise.reject(new DatabaseBusyError());
      }
      // Opening one has the limit of the driver's pool: on a busy machine, it may take longer than a caller waits.
      if (!isFull) return connect();
      return new Promise((resolve, reject) => {
        const caller: Waiting = {
          deadline: clock.now() + maximumWait,
          start() {
            waiting.delete(caller);
            connect().then(resolve, reject);
          },
          refuse() {
            waiting.delete(caller);
            refused += 1;
            reject(new DatabaseBusyError());
          },
        };
        waiting.add(caller);
      });
    },
    usage() {
      const idle = resting.length + pool.idleCount;
      return { max, inUse, idle, waiting: waiting.size, refused };
    },
    end() {
      hasEnded = true;
      clearInterval(returning);
      clock.stop();
      returnResting();
      return pool.end();
    },
  };
}
