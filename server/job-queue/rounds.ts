import { createHash, randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Log } from './worker-pool.ts';

const roundMilliseconds = 2_000;
/** A process makes rounds if it has heard of none for this long, and up to half of it longer. */
const silenceMilliseconds = 5_000;
/** Jobs of dead workers without a group are looked for in every fourth round, because there is no index of them. */
const supervisedRounds = 4;

/** The channel on which processes wake each other: that of pg-boss, on which earlier releases listen. */
export const channelOf = (schema: string) =>
  `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;

/**
 * Listens for the notifications of other processes, and makes rounds if no other process does. A notification may be
 * lost: its process died after the commit, or the connection of the listener broke. A round finds what is left: due jobs,
 * jobs of dead workers, and whatever was added with `add`. A job of a group whose worker died starts again within two
 * seconds after its heartbeats stopped for `heartbeatSeconds`; each death takes that long, so no further delay follows.
 * Each round is announced on the channel, so that the number of statements does not grow with the number of processes;
 * one that hears of none makes its own.
 *
 * @param wake fetches jobs of a queue, in all processes
 */
export function followRounds({
  boss,
  schema,
  channel,
  names,
  wake,
  logger,
}: {
  boss: PgBoss;
  schema: string;
  channel: string;
  names: string[];
  wake(name: string): void;
  logger: Log;
}) {
  const announcement = `round ${randomUUID()}`;
  const works = new Set<() => Promise<unknown>>();
  let stopped = false;
  let number = 0;
  let timer: NodeJS.Timeout | undefined;
  let making: Promise<unknown> = Promise.resolve();
  let listener: { close(): Promise<void> } | undefined;

  const isDue = `select name, null::uuid as lapsed from unnest($1::text[]) as name where exists (
    select from ${schema}.job j
    where j.name = name.name and j.state < 'active' and not j.blocked and j.start_after <= now())`;
  const isLapsed = `select name, id from ${schema}.job
    where name = any($1::text[]) and state = 'active' and group_id is not null
      and heartbeat_on + heartbeat_seconds * interval '1 second' < now()`;
  const announce = 'select null, null from (select pg_notify($2, $3)) announced';
  const round = async () => {
    const { rows } = await boss
      .getDb()
      .executeSql(`${isDue} union all ${isLapsed} union all ${announce}`, [names, channel, announcement]);
    for (const { name, lapsed } of rows) if (name && !lapsed) wake(name);
    // Others look for work, too, whether or not one succeeds.
    for (const work of works)
      await work().catch((err: unknown) => logger.warn({ err }, 'the work of a round failed'));
    const taken = rows.filter(({ lapsed }) => lapsed);
    if (number++ % supervisedRounds === 0 || taken.length > 0) await boss.supervise();
    if (taken.length > 0) await startAgain(taken);
  };
  /** A job that its worker has touched meanwhile is still active. */
  const startAgain = async (taken: { name: string; lapsed: string }[]) => {
    const of = [taken.map(({ name }) => name), taken.map(({ lapsed }) => lapsed)];
    await boss.getDb().executeSql(
      `update ${schema}.job set start_after = now()
        where name = any($1::text[]) and id = any($2::uuid[]) and state = 'retry' and start_after > now()`,
      of,
    );
    for (const name of new Set(of[0])) wake(name);
  };
  const make = () => {
    timer = undefined;
    making = round()
      .catch((error) => {
        if (!stopped) logger.error({ err: error }, 'job queue');
      })
      // Unless it has heard of another's meanwhile.
      .finally(() => timer ?? next(roundMilliseconds));
  };
  const next = (milliseconds: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(make, milliseconds);
  };
  const silence = () => silenceMilliseconds * (1 + Math.random() / 2);

  return {
    add: (work: () => Promise<unknown>) => void works.add(work),
    /** @param hear called with each topic that another process, or this one, has notified */
    async start(hear: (topic: string) => void): Promise<void> {
      const receive = (payload: string) => {
        if (!payload.startsWith('round ')) hear(payload);
        // Of two that make rounds, one goes on.
        else if (payload < announcement) next(silence());
      };
      // Also after a connection that broke.
      const catchUp = () => next(0);
      listener = await boss.getDb().listen?.(channel, receive, catchUp);
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await listener?.close();
      await making;
    },
  };
}
