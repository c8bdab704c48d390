import pg from 'pg';
import { DatabaseBusyError } from './failures.ts';

/** The weight of the latest use of a connection in the average duration. */
const latestWeight = 0.1;

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
   * @param maximumWait milliseconds, for one that others use
   * @throws DatabaseBusyError if none is free after this time, or at once if recent uses of connections took so long
   *   that none will be; another error if the server does not open one within `connectionTimeoutMillis`
   */
  acquire(maximumWait: number): Promise<pg.PoolClient>;
  usage(): PoolUsage;
  end(): Promise<void>;
}

interface Waiting {
  start(): void;
}

/**
 * A pool that limits how long its callers wait, each by its own limit.
 *
 * @param options of the driver's pool
 * @param onConnectionLost called when an idle connection breaks; the pool replaces it
 */
export function openPool(
  options: pg.PoolConfig & { max: number },
  onConnectionLost: (error: Error) => void,
): ConnectionPool {
  const { max } = options;
  const pool = new pg.Pool(options);
  pool.on('error', onConnectionLost);
  // The pool handles errors of idle connections only. If a connection breaks in use, its statement fails; without this
  // listener, the process would exit as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  const waiting = new Set<Waiting>();
  let inUse = 0;
  let refused = 0;
  /** Milliseconds for which a connection is used. */
  let averageUse = 0;

  const free = (usedSince: number) => {
    inUse -= 1;
    averageUse += (performance.now() - usedSince - averageUse) * latestWeight;
    const [next] = waiting;
    next?.start();
  };
  const connect = async (): Promise<pg.PoolClient> => {
    inUse += 1;
    const usedSince = performance.now();
    try {
      const client = await pool.connect();
      const release = client.release;
      client.release = (discard) => {
        release(discard);
        free(usedSince);
      };
      return client;
    } catch (error) {
      free(usedSince);
      throw error;
    }
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
        const timer = setTimeout(() => {
          waiting.delete(caller);
          refused += 1;
          reject(new DatabaseBusyError());
        }, maximumWait);
        const caller: Waiting = {
          start() {
            clearTimeout(timer);
            waiting.delete(caller);
            connect().then(resolve, reject);
          },
        };
        waiting.add(caller);
      });
    },
    usage: () => ({ max, inUse, idle: pool.idleCount, waiting: waiting.size, refused }),
    end: () => pool.end(),
  };
}
