import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './address.ts';
import type { Installation, Member } from './installation.ts';

/** Something that happens to an installation under load. */
export interface Fault {
  name: string;
  /** Besides successful responses. `refusals`: 503 with `Retry-After`. `failures`: connections that break, too. */
  callersSee: 'nothing' | 'refusals' | 'failures';
  /** Why it cannot happen here. */
  isMissing?(installation: Installation): string | undefined;
  /** Returns when it is over. @param seconds how long what lasts lasts */
  happen(installation: Installation, seconds: number): Promise<void>;
}

const disconnect = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'wrp'";
const schemas = 'production, production_jobs, sandbox, sandbox_jobs';

export const upgrade: Fault = {
  name: 'rolling upgrade of every process from an earlier release',
  callersSee: 'nothing',
  isMissing: ({ isOutdated }) => (isOutdated ? undefined : 'the clone has no earlier release'),
  happen: ({ servers, workers }) => replaceEach([...servers, ...workers]),
};

export const faults: Fault[] = [
  upgrade,
  {
    name: 'a further server starts and ends',
    callersSee: 'nothing',
    async happen({ addServer }, seconds) {
      const server = await addServer();
      await sleep(seconds * 1000);
      await server.remove();
    },
  },
  {
    name: 'every process is replaced, one after another',
    callersSee: 'nothing',
    happen: ({ servers, workers }) => replaceEach([...servers, ...workers]),
  },
  {
    name: 'SIGKILL of a server',
    callersSee: 'failures',
    happen: ({ servers }) => killed(anyOf(servers)),
  },
  {
    name: 'SIGKILL of a worker',
    callersSee: 'nothing',
    happen: ({ workers }) => killed(anyOf(workers)),
  },
  {
    name: 'SIGSTOP of a server',
    callersSee: 'nothing',
    happen: ({ servers }, seconds) => stopped(anyOf(servers), seconds),
  },
  {
    name: 'SIGSTOP of a worker for longer than the lease of its jobs',
    callersSee: 'nothing',
    happen: ({ workers }) => stopped(anyOf(workers), 40),
  },
  {
    name: "a server's clock is ten minutes behind",
    callersSee: 'nothing',
    happen: ({ servers }, seconds) => withClock(anyOf(servers), -600, seconds),
  },
  {
    name: "a worker's clock is an hour ahead",
    callersSee: 'nothing',
    happen: ({ workers }, seconds) => withClock(anyOf(workers), 3_600, seconds),
  },
  {
    name: 'PostgreSQL restarts',
    callersSee: 'refusals',
    async happen({ database }) {
      await database.primary().end('SIGINT');
      await database.primary().start();
    },
  },
  {
    name: 'SIGKILL of PostgreSQL, which recovers',
    callersSee: 'refusals',
    async happen({ database }) {
      await database.primary().end('SIGKILL');
      await database.primary().start();
    },
  },
  {
    name: 'PostgreSQL is away',
    callersSee: 'refusals',
    async happen({ database }, seconds) {
      await database.primary().end('SIGINT');
      await sleep(seconds * 1000);
      await database.primary().start();
    },
  },
  {
    name: 'the network to PostgreSQL drops packets',
    callersSee: 'refusals',
    happen: ({ database }, seconds) => held(database.address, seconds),
  },
  {
    name: 'PostgreSQL ends all connections',
    callersSee: 'refusals',
    happen: ({ database }) => database.primary().administer([disconnect]),
  },
  refusing('the role may not log in', ['alter role wrp nologin'], ['alter role wrp login']),
  refusing(
    'the database refuses connections',
    ['alter database wrp connection limit 0'],
    ['alter database wrp connection limit -1'],
  ),
  refusing(
    'the database is read-only',
    ['alter database wrp set default_transaction_read_only = on'],
    ['alter database wrp reset default_transaction_read_only'],
  ),
  refusing(
    'the role has no rights on the schemas',
    [`revoke all on schema ${schemas} from wrp`],
    [`grant all on schema ${schemas} to wrp`],
    'wrp',
  ),
  refusing(
    'the database has another name',
    [
      'alter database wrp allow_connections false',
      "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'wrp'",
      'alter database wrp rename to wrp_away',
    ],
    ['alter database wrp_away rename to wrp', 'alter database wrp allow_connections true'],
  ),
  {
    name: 'a statement of another client locks a table',
    callersSee: 'refusals',
    happen: ({ database }, seconds) =>
      database.administerPlatform(
        'begin',
        'lock table production.executions in access exclusive mode',
        `select pg_sleep(${seconds})`,
        'commit',
      ),
  },
  {
    name: 'the directory of the files is away',
    callersSee: 'refusals',
    isMissing: ({ files }) => (files.directory ? undefined : 'files are in S3'),
    async happen({ files }, seconds) {
      const directory = files.directory as string;
      const away = `${directory}.away`;
      await rename(directory, away);
      await sleep(seconds * 1000);
      await rename(away, directory);
    },
  },
  {
    name: 'S3 is away',
    callersSee: 'refusals',
    isMissing: ({ files }) => (files.s3 ? undefined : 'files are in a directory'),
    async happen({ files }, seconds) {
      files.s3?.end();
      await sleep(seconds * 1000);
      await files.s3?.start();
    },
  },
  {
    name: 'S3 hangs',
    callersSee: 'refusals',
    isMissing: ({ files }) => (files.s3 ? undefined : 'files are in a directory'),
    happen: ({ files }, seconds) => held(files.s3?.address as Address, seconds),
  },
  {
    name: 'the receiver of webhooks responds with 500',
    callersSee: 'nothing',
    async happen({ receiver }, seconds) {
      receiver.isBroken = true;
      await sleep(seconds * 1000);
      receiver.isBroken = false;
    },
  },
  {
    name: 'failover to a synchronous standby',
    callersSee: 'refusals',
    happen: ({ database }) => database.failOver(),
  },
];

/** PostgreSQL refuses the platform after some statements of the superuser, until others. */
function refusing(
  name: string,
  before: readonly string[],
  after: readonly string[],
  database?: string,
): Fault {
  return {
    name,
    callersSee: 'refusals',
    async happen({ database: { primary } }, seconds) {
      await primary().administer([...before, disconnect], database);
      await sleep(seconds * 1000);
      await primary().administer([...after, disconnect], database);
    },
  };
}

function anyOf(members: readonly Member[]): Member {
  return members[Math.floor(Math.random() * members.length)] as Member;
}

async function replaceEach(members: readonly Member[]): Promise<void> {
  for (const member of members) {
    await member.current().stop();
    await member.start();
  }
}

async function killed(member: Member): Promise<void> {
  await member.current().kill();
  await member.start();
}

async function stopped(member: Member, seconds: number): Promise<void> {
  const { pid } = member.current();
  process.kill(pid, 'SIGSTOP');
  await sleep(seconds * 1000);
  process.kill(pid, 'SIGCONT');
}

async function withClock(member: Member, offset: number, seconds: number): Promise<void> {
  await member.current().stop();
  await member.start({ clockOffset: offset });
  await sleep(seconds * 1000);
  await member.current().stop();
  await member.start();
}

async function held(address: Address, seconds: number): Promise<void> {
  address.hold();
  await sleep(seconds * 1000);
  address.release();
}
