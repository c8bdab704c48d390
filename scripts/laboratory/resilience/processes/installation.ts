import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../../../../server/embedded-postgres/index.ts';
import { demoPlatformFile } from '../../../../server/src/manifest/demo.ts';
import { demoFixtures } from '../../../../server/src/manifest/demo-fixtures.ts';
import { readPlatformFile } from '../../../../server/src/manifest/read.ts';
import { freePort } from '../../../command-line/local-server.ts';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import type { Target } from '../executions/load.ts';
import { type Process, startProcess } from '../platform.ts';
import { openClient } from '../stored.ts';
import { openPrimaryAddress } from './primary-address.ts';

const project = join(import.meta.dirname, '../../../..');
const programIn = (directory: string) => join(directory, 'server/src/cli/main.ts');

export interface Database {
  url: string;
  /** Shuts it down and starts it again. */
  restart(): Promise<void>;
  /** Ends the primary and promotes the standby. */
  failOver?(): Promise<void>;
  stop(): Promise<void>;
}

/** A process of an installation, which is started again at the same address. */
export interface Member {
  /** Undefined for a worker. */
  target: Target | undefined;
  current(): Process;
  /** Starts the current version. */
  start(): Promise<void>;
}

export interface Installation extends AsyncDisposable {
  database: Database;
  members: Member[];
  /** The members are of an older version. */
  isOutdated: boolean;
}

/** Starts two HTTP and two worker processes on one database, with the demo's platform file and one token. */
export async function openInstallation({
  previous,
  ...external
}: ExternalDatabase & { previous: string }): Promise<Installation> {
  const program = programIn(previous || project);
  const data = await temporaryDirectory('processes');
  const { path: dataDirectory } = data;
  const database = external.database
    ? await externalDatabase(external)
    : await embeddedDatabase(dataDirectory);
  const members: Member[] = [];
  const close = async () => {
    await Promise.all(members.map((member) => member.current().kill()));
    await database.stop();
    await data[Symbol.asyncDispose]();
  };
  try {
    const ports = await Promise.all(Array.from({ length: 4 }, freePort));
    const url = (port: number | undefined) => `http://127.0.0.1:${port}`;
    const shared = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDirectory,
      SERVER_KEY: 'prove'.repeat(9),
      // Behind a proxy, which is the first of them here.
      PUBLIC_URL: url(ports[0]),
      SANDBOX_PUBLIC_URL: url(ports[1]),
    };
    const wrp = async (...args: string[]) => {
      const env = { ...process.env, ...shared };
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--json'], { env });
      return JSON.parse(stdout);
    };
    await wrp('apply', demoPlatformFile);
    const { ownerId, ids } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
    const credential = ['--user', ownerId, '--workspace', ids.workspaceId, '--name', 'prove'];
    const { token } = await wrp('token', 'create', ...credential);
    const target = (port: number | undefined): Target => ({
      demo: { baseUrl: url(port), organizationToken: token, definitions: ids.definitions },
    });
    // All at once, on a database that only the CLI has used.
    const starting = [
      ...[0, 2].map((at) => {
        const settings = { ...shared, PORT: String(ports[at]), SANDBOX_PORT: String(ports[at + 1]) };
        return openMember([program, 'serve'], settings, target(ports[at]));
      }),
      ...[1, 2].map(() => openMember([program, 'work'], shared)),
    ];
    for (const started of await Promise.allSettled(starting))
      if (started.status === 'fulfilled') members.push(started.value);
    await Promise.all(starting);
    return { database, members, isOutdated: previous !== '', [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openMember(
  [program, command]: [string, string],
  settings: Record<string, string>,
  target?: Target,
): Promise<Member> {
  let child = await startProcess([process.execPath, program, command], settings);
  return {
    target,
    current: () => child,
    async start() {
      child = await startProcess([process.execPath, programIn(project), command], settings);
    },
  };
}

async function embeddedDatabase(dataDirectory: string): Promise<Database> {
  const server = await startPostgres({ dataDirectory });
  return {
    url: server.connectionString,
    async restart() {
      const client = await openClient(server.administratorConnectionString);
      // The platform's embedded server starts again by itself.
      const { rows } = await client.query("select pg_read_file('postmaster.pid') as text");
      process.kill(Number(String(rows[0].text).split('\n')[0]), 'SIGINT');
      await client.end().catch(() => {});
    },
    stop: () => server.stop(),
  };
}

/** An empty string means that the option is not set. */
interface ExternalDatabase {
  /** The URL of an empty database; default: an embedded one. */
  database: string;
  /** The shell command that restarts it. */
  restart: string;
  /** The URL of the database on the standby. */
  standby: string;
  /** The shell command that ends the primary and promotes the standby. */
  failover: string;
}

async function externalDatabase({
  database,
  restart,
  standby,
  failover,
}: ExternalDatabase): Promise<Database> {
  const run = async (command: string) => void (await promisify(execFile)('sh', ['-c', command]));
  if (!standby) return { url: database, restart: () => run(restart), stop: async () => {} };
  const address = await openPrimaryAddress(database);
  return {
    url: address.url,
    restart: () => run(restart),
    failOver() {
      // Until it is promoted, the standby accepts connections and refuses changes.
      address.moveTo(standby);
      return run(failover);
    },
    stop: async () => address.close(),
  };
}
