import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { parseDocument } from 'yaml';
import { demoPlatformFile } from '../../../../server/src/manifest/demo.ts';
import { demoFixtures } from '../../../../server/src/manifest/demo-fixtures.ts';
import { readPlatformFile } from '../../../../server/src/manifest/read.ts';
import { freePort, host } from '../../../command-line/local-server.ts';
import { temporaryDirectory } from '../../../command-line/temporary-directory.ts';
import { earlierRelease } from '../../earlier-release.ts';
import { startGateway, versitygw } from '../../s3-gateway.ts';
import type { Target } from '../executions/load.ts';
import { type Process, startProcess } from '../platform.ts';
import { openClient } from '../stored.ts';
import { type Address, openAddress } from './address.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const project = join(import.meta.dirname, '../../../..');
const probeInterval = 100;
const longestProbe = 1_000;

/** A process of an installation. */
export interface Member {
  current(): Process;
  /** Starts the current version, at the same address. @param clockOffset seconds that its clock is ahead */
  start(options?: { clockOffset?: number }): Promise<void>;
}

/** What the processes share, and what can happen to it. */
export interface Installation extends AsyncDisposable {
  /** The proxy's address. */
  target: Target;
  servers: Member[];
  workers: Member[];
  addServer(): Promise<{ remove(): Promise<void> }>;
  /** Why the installation cannot serve or work now; undefined: it can. */
  obstacle(): Promise<string | undefined>;
  /** The members are of an earlier release. */
  isOutdated: boolean;
  database: {
    /** Where the processes connect to. */
    address: Address;
    url: string;
    primary(): Cluster;
    /** Runs statements of the platform's role. */
    administerPlatform(...statements: string[]): Promise<void>;
    /** Ends the primary without a shutdown, and promotes its standby two seconds later. */
    failOver(): Promise<void>;
  };
  /** Of its webhooks. */
  receiver: Receiver;
  files: {
    /** Undefined: files are in S3. */
    directory: string | undefined;
    s3: { address: Address; end(): void; start(): Promise<void> } | undefined;
  };
}

/**
 * Two HTTP and two worker processes behind a proxy, on one PostgreSQL with a synchronous standby, with the demo's platform
 * file and one token. Files are in S3 if versitygw is installed.
 */
export async function openInstallation({
  withS3,
  isOutdated,
  postgres,
}: {
  withS3: boolean;
  /** The directory of PostgreSQL's programs; empty: those of the embedded PostgreSQL. */
  postgres: string;
  /** The processes are of an earlier release at first, if the clone has one. */
  isOutdated: boolean;
}): Promise<Installation> {
  await using opened = new AsyncDisposableStack();
  const { path: directory } = opened.use(await temporaryDirectory('faults'));
  const upgraded = { beforeMigration: true };
  const earlier = isOutdated ? await earlierRelease(join(directory, 'earlier'), upgraded) : undefined;

  let primary = await openCluster(join(directory, 'primary'), postgres);
  opened.defer(() => primary.end('SIGQUIT'));
  const address = opened.use(await openAddress(() => [primary.port]));
  const standby = await primary.addStandby(join(directory, 'standby'));
  opened.defer(() => standby.end('SIGQUIT'));
  const files = await openFiles(join(directory, 'data'), withS3, opened);

  const production: number[] = [];
  const ready = new Set<number>();
  // As shipped proxies do: to a server that is ready, or to any if none is.
  const choices = (offset: 0 | 1) => () => {
    const ports = production.filter((port) => ready.has(port));
    const order = (ports.length > 0 ? ports : production).toSorted(() => Math.random() - 0.5);
    return order.map((port) => port + offset);
  };
  const proxies = [opened.use(await openAddress(choices(0))), opened.use(await openAddress(choices(1)))];
  const [proxy, sandboxProxy] = proxies.map(({ port }) => `http://${host}:${port}`) as [string, string];

  const databaseUrl = `postgres://wrp@${host}:${address.port}/wrp`;
  const shared = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(directory, 'data'),
    SERVER_KEY: 'prove'.repeat(9),
    PUBLIC_URL: proxy,
    SANDBOX_PUBLIC_URL: sandboxProxy,
    DATABASE_CONNECTIONS: '15',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...files.settings,
  };
  const first = earlier?.directory ?? project;
  const wrp = async (...args: string[]) => {
    const env = { ...process.env, ...shared };
    const { stdout } = await promisify(execFile)(process.execPath, [programIn(first), ...args, '--json'], {
      env,
    });
    return JSON.parse(stdout);
  };
  const receiver = opened.use(await openReceiver());
  // The demo of that version, with the files that it names.
  await cp(join(first, 'server/demo'), join(directory, 'demo'), { recursive: true });
  const platformFile = join(directory, 'demo/platform.yaml');
  const platform = parseDocument(await readFile(platformFile, 'utf8'));
  platform.setIn(['environments', 'production', 'webhooks'], [{ url: receiver.url, events: 'all' }]);
  await writeFile(platformFile, String(platform));
  await wrp('apply', platformFile);
  const { ownerId, ids } = demoFixtures(await readPlatformFile(demoPlatformFile), 'production');
  const { token } = await wrp(
    ...['token', 'create', '--user', ownerId, '--workspace', ids.workspaceId, '--name', 'prove'],
  );

  const serverAt = async (port: number, version: string) => {
    production.push(port);
    const settings = { ...shared, PORT: `${port}`, SANDBOX_PORT: `${port + 1}` };
    return openMember('serve', settings, version);
  };
  // All at once, on a database that only the CLI has used.
  const starting = [
    ...(await Promise.all([freePorts(), freePorts()])).map((port) => serverAt(port, first)),
    ...[1, 2].map(() => openMember('work', shared, first)),
  ];
  for (const started of await Promise.allSettled(starting))
    if (started.status === 'fulfilled') opened.defer(() => started.value.current().kill());
  const members = await Promise.all(starting);

  const probing = new AbortController();
  opened.defer(() => probing.abort());
  const probe = async (port: number) => {
    const obstacle = await obstacleOf(port);
    if (obstacle === undefined) ready.add(port);
    else ready.delete(port);
    return obstacle;
  };
  void (async () => {
    while (!probing.signal.aborted) {
      await Promise.all(production.map(probe));
      await sleep(probeInterval);
    }
  })();
  while (ready.size < 2) await sleep(probeInterval);

  const resources = opened.move();
  return {
    target: { demo: { baseUrl: proxy, organizationToken: token, definitions: ids.definitions } },
    servers: members.slice(0, 2),
    workers: members.slice(2),
    async addServer() {
      const port = await freePorts();
      const server = await serverAt(port, project);
      return {
        async remove() {
          await server.current().stop();
          production.splice(production.indexOf(port), 1);
          ready.delete(port);
        },
      };
    },
    async obstacle() {
      return (await Promise.all(production.map(probe))).find((obstacle) => obstacle !== undefined);
    },
    isOutdated: earlier !== undefined,
    database: {
      address,
      url: databaseUrl,
      primary: () => primary,
      async administerPlatform(...statements) {
        const client = await openClient(databaseUrl);
        for (const statement of statements) await client.query(statement);
        await client.end();
      },
      async failOver() {
        await primary.end('SIGQUIT');
        // Until it is promoted, the standby accepts connections and refuses changes.
        primary = standby;
        address.endAll();
        await sleep(2_000);
        await standby.administer(['select pg_promote()']);
      },
    },
    receiver,
    files,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

export const programIn = (directory: string) => join(directory, 'server/src/cli/main.ts');

async function openMember(
  command: 'serve' | 'work',
  settings: Record<string, string>,
  version: string,
): Promise<Member> {
  let child = await startProcess([process.execPath, programIn(version), command], settings);
  return {
    current: () => child,
    async start({ clockOffset } = {}) {
      const options = clockOffset === undefined ? [] : ['--import', shiftedClock(clockOffset)];
      child = await startProcess([process.execPath, ...options, programIn(project), command], settings);
    },
  };
}

/** A module after which the process has another time. @param offset seconds */
export function shiftedClock(offset: number): string {
  const source = `
    const Original = Date;
    globalThis.Date = class Date extends Original {
      constructor(...args) { args.length === 0 ? super(Date.now()) : super(...args); }
      static now() { return Original.now() + ${offset * 1000}; }
    };`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

async function openFiles(dataDirectory: string, withS3: boolean, opened: AsyncDisposableStack) {
  await mkdir(dataDirectory);
  if (!withS3 || !existsSync(versitygw))
    return { directory: join(dataDirectory, 'blobs'), s3: undefined, settings: {} };
  const objects = join(dataDirectory, 's3');
  await mkdir(join(objects, 'wrp'), { recursive: true });
  let running = await startGateway(objects);
  opened.defer(() => running.stop());
  const address = opened.use(await openAddress(() => [Number(new URL(running.gateway.endpoint).port)]));
  const { accessKeyId, secretAccessKey } = running.gateway.credentials;
  return {
    directory: undefined,
    s3: {
      address,
      end: () => running.stop(),
      async start() {
        running = await startGateway(objects);
      },
    },
    settings: {
      S3_BUCKET: 'wrp',
      S3_ENDPOINT: `http://${host}:${address.port}`,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
}

/** @returns undefined if the server is ready */
async function obstacleOf(port: number): Promise<string | undefined> {
  try {
    const url = `http://${host}:${port}/readyz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(longestProbe) });
    const text = await response.text();
    return response.status === 200 ? undefined : text;
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}

/** The first of two ports, one after the other, on which nothing listens. */
async function freePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const next = await fetch(`http://${host}:${port + 1}`).then(
      () => false,
      () => true,
    );
    if (next) return port;
  }
}
