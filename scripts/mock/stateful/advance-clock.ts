import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EnvironmentDependencies } from '../../../server/src/dependencies.ts';
import type { JobName } from '../../../server/src/jobs/jobs.ts';
import { endDue } from '../../../server/src/workflows/ending.ts';
import type { MovableClock } from './clock.ts';

/** The jobs that wait for a time: steps of executions, calls, deliveries, messages. */
const waiting = ['execution-step', 'execution-call', 'webhook-delivery', 'mail'] satisfies JobName[];
/** The clock moves on although calls to other systems are in progress, if none of them has ended for this long. */
const settleMilliseconds = 3_000;
/** After so many due times, the rest is one step. */
const maximumJumps = 500;
/** Timers and the database round to the millisecond. */
const slackMilliseconds = 5;

/**
 * Advances the clock from one due time to the next, so that everything happens in order: a wait of an hour ends
 * before the deadline of the next day. When it resolves, whatever became due is done or in progress.
 *
 * Jobs wait by the database's clock, which cannot be moved: their start times are moved instead.
 */
export async function advanceClock(
  { name, database, jobs }: EnvironmentDependencies,
  clock: MovableClock,
  milliseconds: number,
): Promise<void> {
  const table = sql.raw(`${name}_jobs.job`);
  const queues = sql.join(waiting);
  const until = clock.ahead() + milliseconds;

  const nextDue = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ job: number | null; deadline: Date | null }>`
      select (select extract(epoch from min(start_after) - clock_timestamp()) * 1000 from ${table}
          where name in (${queues}) and state in ('created', 'retry') and start_after > clock_timestamp())::float8 as job,
        (select min(deadline_at) from executions where status = 'RUNNING') as deadline`.execute(database);
    const { job = null, deadline = null } = rows[0] ?? {};
    const times = [job, deadline && deadline.getTime() - clock.now().getTime()].filter(
      (time) => time !== null,
    );
    return times.length > 0 ? Math.min(...times) : undefined;
  };
  const jump = async (length: number) => {
    clock.forward(length);
    await sql`update ${table} set start_after = start_after - make_interval(secs => ${length / 1000})
      where name in (${queues}) and state in ('created', 'retry') and start_after > clock_timestamp()`.execute(
      database,
    );
    for (const queue of waiting) jobs.poll(queue);
    await endDue(database, clock.now());
  };

  // What was requested just before starts now, not at the end.
  await settled(database, table, queues);
  let jumps = 0;
  for (let left = milliseconds; left > 0; left = until - clock.ahead()) {
    const due = jumps++ < maximumJumps ? await nextDue() : undefined;
    await jump(Math.min(left, Math.max(Math.ceil(due ?? left) + slackMilliseconds, 1)));
    await settled(database, table, queues);
  }
}

/**
 * Waits until nothing is due and nothing runs, twice in a row, because one job leads to the next. It always waits for
 * steps of executions, however slow the machine is, and for calls to other systems only while there is progress.
 */
async function settled(
  database: EnvironmentDependencies['database'],
  table: ReturnType<typeof sql.raw>,
  queues: ReturnType<typeof sql.join>,
): Promise<void> {
  let progressAt = performance.now();
  let before: string | null = null;
  for (let quiet = 0; quiet < 2; ) {
    await delay(15);
    const { rows } = await sql<{ jobs: string | null; steps: boolean | null }>`
      select string_agg(id || ' ' || state, ',' order by id) as jobs, bool_or(name = 'execution-step') as steps
      from ${table} where name in (${queues}) and (state = 'active'
        or (state in ('created', 'retry') and start_after <= clock_timestamp()))`.execute(database);
    const { jobs = null, steps } = rows[0] ?? {};
    if (steps || jobs !== before) progressAt = performance.now();
    before = jobs;
    quiet = jobs === null ? quiet + 1 : 0;
    if (performance.now() - progressAt > settleMilliseconds) return;
  }
}
