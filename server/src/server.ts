import { flushCompileCache } from 'node:module';
import { type ContractDocument, type LoadedContract, loadContract } from '../contract/index.ts';
import { type Listener, listeningUrl, reserve, securityHeaders } from '../http-server/index.ts';
import { environmentApp } from './app.ts';
import { type Config, type EnvironmentName, environmentNames } from './config.ts';
import { type Dependencies, endAll, type OpeningOptions, openDependencies } from './dependencies.ts';
import { entrances } from './http/entrances.ts';
import { type DemoOutcome, prepareDemo, registerDemoWebhook } from './manifest/demo.ts';
import { type DemoFile, demoFilePath } from './manifest/demo-file.ts';
import { operationCalls } from './mcp/calls.ts';
import { documentationOf } from './mcp/documentation.ts';
import { type McpShared, mcpEndpoint, mcpProtocol } from './mcp/endpoint.ts';
import { contractDocuments } from './pages/contract-documents.ts';
import { health, readiness } from './pages/health.ts';
import { openedPortal, portal } from './pages/portal.ts';
import { builtPortal, type PortalSite } from './pages/portal-site.ts';
import { databaseClock } from './store/clock.ts';
import type { Role } from './store/connections.ts';
import type { StartSpan } from './tracing/trace.ts';

const portVariables: Record<EnvironmentName, string> = { production: 'PORT', sandbox: 'SANDBOX_PORT' };
/** How long open requests may take after the server stops to accept others. */
const drainMilliseconds = 4_500;

export interface WorkerOptions
  extends Omit<OpeningOptions, 'now' | 'clock' | 'baseUrls' | 'metrics' | 'role'> {
  /** The clock for expiry and rate limits. Default: that of the database. */
  now?: () => Date;
}

export interface PlatformOptions extends WorkerOptions {
  /** Default: `all`. */
  role?: Exclude<Role, 'work'>;
  loadContract(): Promise<LoadedContract>;
  /** Opens the portal, at the first request for it. */
  openPortal(): Promise<PortalSite>;
  /** Runs before the platform is ready. */
  prepare?(dependencies: Dependencies, served: Served): Promise<void>;
}

/** What the platform serves, and where. */
export interface Served {
  baseUrls: BaseUrls;
  contract: ContractDocument;
}

type BaseUrls = Record<EnvironmentName, string>;

interface PlatformWorker {
  metricsPort: number | undefined;
  /** Completes what is in progress and ends everything. */
  close(): Promise<void>;
}

export interface PlatformServer extends PlatformWorker {
  dependencies: Dependencies;
  baseUrls: BaseUrls;
  /** The port of each environment, whatever its public URL. */
  ports: Record<EnvironmentName, number>;
  /**
   * Completes open requests, ends jobs in progress and closes everything. The platform is not ready from now on.
   *
   * @param grace milliseconds in which requests are still accepted, see `Listener.drain`. Default: 0
   */
  close(grace?: number): Promise<void>;
}

/**
 * Opens the dependencies, then the ports of both environments: a client that can connect is served.
 *
 * @throws an error with one line for the operator if a port, the data directory or the database is unavailable;
 *   nothing is left open
 */
export async function servePlatform(options: PlatformOptions): Promise<PlatformServer> {
  const { config, logger, loadContract, prepare = async () => undefined } = options;
  const clock = databaseClock(logger);
  const now = options.now ?? clock.now;
  const closing: (() => Promise<unknown>)[] = [];
  const listening: Listener[] = [];
  let phase: 'starting' | 'serving' | 'stopping' = 'starting';
  let stopJobs: () => Promise<unknown> = async () => {};
  const close = async (grace = 0) => {
    phase = 'stopping';
    const drained = listening.map((listener) => listener.drain(drainMilliseconds, grace));
    const jobsStopped = stopJobs().catch((err) => logger.error({ err }, 'closing'));
    await Promise.all([...drained, jobsStopped]);
    await endAll(closing);
  };
  try {
    const { metrics, metricsPort, startSpan } = await observe(options, closing);
    const listeners = await reservePorts(config, listening);
    const baseUrls = baseUrlsOf(config, listeners);
    const opening = openDependencies({ ...options, startSpan, now, clock, baseUrls, metrics });
    // If opening fails, nothing is left open, and the error is reported below.
    closing.push(async () => (await opening.catch(() => undefined))?.close());
    const [dependencies, { document, contract }] = await Promise.all([opening, loadContract()]);
    stopJobs = dependencies.stopJobs;
    const { environments } = dependencies;
    const problems = readiness(environments);
    const obstacles = async () =>
      phase === 'serving' ? problems() : [{ reason: `the platform is ${phase}` }];
    metrics?.serves(contract, Object.keys(entrances));
    metrics?.monitor({ environments, dataDirectory: config.dataDirectory, clock, now }, obstacles);
    await prepare(dependencies, { baseUrls, contract: document });

    for (const environment of environments) {
      const { name } = environment;
      const other = environments.find((each) => each !== environment);
      const { serverKey, logger } = dependencies;
      const shared = { other, contract, config, serverKey, logger, metrics, startSpan, now };
      const addresses = { environment: name, baseUrls };
      const site = openedPortal(options.openPortal, addresses);
      const pages = {
        health: health(obstacles),
        documents: contractDocuments(document, addresses),
        portal: portal(site),
      };
      const baseUrl = baseUrls[name];
      const agents = (shared: McpShared) =>
        mcpEndpoint({
          ...shared,
          documentation: documentationOf(document, site.site, addresses),
          call: config.mcpCalls.includes(name)
            ? operationCalls(document, baseUrl, dependencies.outbound)
            : undefined,
          callsAt: config.mcpCalls[0] && `${baseUrls[config.mcpCalls[0]]}/mcp`,
        });
      await listeners[name].serve(environmentApp({ ...shared, environment, baseUrl, pages, agents }));
    }
    phase = 'serving';
    // What requests need that nothing has needed yet.
    contract
      .compile()
      .then(mcpProtocol)
      .catch((err) => logger.error({ err }, 'preparing for requests'));
    const ports = { production: listeners.production.port, sandbox: listeners.sandbox.port };
    return { dependencies, baseUrls, ports, metricsPort, close };
  } catch (error) {
    await close().catch((err) => logger.error({ err }, 'closing'));
    throw error;
  }
}

/**
 * Runs the jobs of both environments without serving requests. The public URLs must be configured.
 *
 * @throws an error with one line for the operator; nothing is left open
 */
export async function workPlatform(options: WorkerOptions): Promise<PlatformWorker> {
  const { config, logger } = options;
  const clock = databaseClock(logger);
  const now = options.now ?? clock.now;
  const closing: (() => Promise<unknown>)[] = [];
  const close = () => endAll(closing);
  try {
    const { metrics, metricsPort, startSpan } = await observe({ ...options, role: 'work' }, closing);
    const baseUrls = config.publicUrls as BaseUrls;
    const opened = { ...options, role: 'work', startSpan, now, clock, baseUrls, metrics } as const;
    const dependencies = await openDependencies(opened);
    closing.push(() => dependencies.close());
    const { environments } = dependencies;
    const obstacles = readiness(environments);
    metrics?.monitor({ environments, dataDirectory: config.dataDirectory, clock, now }, obstacles);
    return { metricsPort, close };
  } catch (error) {
    await close().catch((err) => logger.error({ err }, 'closing'));
    throw error;
  }
}

async function reservePorts(
  { host, ports, publicUrls, responseIdleSeconds }: Config,
  listening: Listener[],
): Promise<Record<EnvironmentName, Listener>> {
  const responseIdleMilliseconds = responseIdleSeconds * 1000;
  const reserved: Partial<Record<EnvironmentName, Listener>> = {};
  for (const name of environmentNames) {
    const headers = securityHeaders(publicUrls[name]);
    const address = {
      host,
      port: ports[name],
      settings: { host: 'HOST', port: portVariables[name] },
      headers,
      responseIdleMilliseconds,
    };
    const listener = await reserve(address);
    listening.push(listener);
    reserved[name] = listener;
  }
  return reserved as Record<EnvironmentName, Listener>;
}

/** Opens the metrics and OpenTelemetry, each only if it is configured. */
async function observe(
  { config, logger, role = 'all' }: Pick<OpeningOptions, 'config' | 'logger' | 'role'>,
  closing: (() => Promise<unknown>)[],
) {
  const { metricsHost, metricsPort, buildCommit, otlp: settings } = config;
  if (metricsPort === undefined && !settings) return {};
  const { openMetrics } = await import('./observability/metrics.ts');
  const metrics = openMetrics(buildCommit);
  let startSpan: StartSpan | undefined;
  if (settings) {
    const { openTelemetry } = await import('./observability/opentelemetry.ts');
    const telemetry = openTelemetry({ role, settings, metrics: metrics.read, logger });
    closing.push(telemetry.close);
    ({ startSpan } = telemetry);
  }
  if (metricsPort === undefined) return { metrics, startSpan };
  const listener = await metrics.listen(metricsHost, metricsPort);
  closing.push(() => listener.drain(0));
  return { metrics, startSpan, metricsPort: listener.port };
}

function baseUrlsOf({ publicUrls, host }: Config, listeners: Record<EnvironmentName, Listener>): BaseUrls {
  const baseUrl = (name: EnvironmentName) => publicUrls[name] ?? listeningUrl(host, listeners[name].port);
  return { production: baseUrl('production'), sandbox: baseUrl('sandbox') };
}

/** Signals that follow each other within this time are one. */
const sameSignalMilliseconds = 500;

/** What a process opens before it loads the platform. */
type Opened = Pick<PlatformOptions, 'config' | 'logger' | 'progress' | 'database'>;

/**
 * Runs the platform, or one part of it, until SIGTERM or SIGINT; a second signal ends the process at once, unless it
 * follows immediately: systemd and a terminal send a signal to the launcher too, which passes it on.
 *
 * @throws an operator error, see `isOperatorError`
 */
export async function startPlatform(opened: Opened, role: Role): Promise<void> {
  const { config } = opened;
  const { close, message } = role === 'work' ? await work(opened) : await serve(opened, role);
  // Before it says that it is ready: from then on it ends in order.
  const stopped = firstSignal();
  console.log(message);
  if (role !== 'work') builtPortal().catch((error) => console.error(error.message));
  // Now, because a process that is killed could not do it at its end.
  flushCompileCache();
  await stopped;
  await close(config.shutdownGraceSeconds * 1000);
}

function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      let first = Number.POSITIVE_INFINITY;
      process.on(signal, () => {
        if (performance.now() - first > sameSignalMilliseconds) process.exit(1);
        first = Math.min(first, performance.now());
        resolve();
      });
    }
  });
}

/** What runs, and what it prints when it is ready. */
interface Running {
  close(graceMilliseconds: number): Promise<void>;
  message: string;
}

async function work(opened: Opened): Promise<Running> {
  const worker = await workPlatform(opened);
  return { close: worker.close, message: '\n  The Workflow and Records Platform is working.\n' };
}

async function serve(opened: Opened, role: Exclude<Role, 'work'>): Promise<Running> {
  const { config } = opened;
  let demo: DemoOutcome = { kind: 'absent' };
  const prepare = async ({ environments, serverKey }: Dependencies, served: Served) => {
    const { dataDirectory } = config;
    // An external database gets no demo data.
    if (!config.databaseUrl) demo = await prepareDemo({ environments, serverKey, ...served, dataDirectory });
    const production = environments.find(({ name }) => name === 'production');
    const outcome =
      config.demoWebhookUrl &&
      production &&
      (await registerDemoWebhook(production.database, config.demoWebhookUrl));
    if (outcome === 'no_demo')
      console.error('DEMO_WEBHOOK_URL is of no effect: there is no demo organization.');
  };
  const server = await servePlatform({
    ...opened,
    role,
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
    openPortal: builtPortal,
    prepare,
  });
  // The assignment in `prepare` is unknown to the compiler.
  const { file } = demo as { file?: DemoFile };
  const shownDemo = file && {
    token: file.production.organizationToken,
    path: demoFilePath(config.dataDirectory),
  };
  return { close: server.close, message: welcome(server.baseUrls, shownDemo) };
}

/**
 * The URLs and the first request, printed when the platform is ready.
 *
 * @param demo production's token, and the path of the file that has it
 */
export function welcome(baseUrls: BaseUrls, demo?: { token: string; path: string }): string {
  const { production, sandbox } = baseUrls;
  const rows = [
    ['API', production],
    ['Sandbox', sandbox],
    ['Portal', `${production}/docs`],
    ['Quick start', `${production}/docs/quick-start`],
    ...(demo ? [['Token', demo.token]] : []),
    ...(demo
      ? [['Demo file', `${demo.path} (ids and tokens; the sandbox's: sandbox.organizationToken)`]]
      : []),
  ];
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(13)}${value}`);
  const call = `  curl -H 'Authorization: ${demo?.token}' '${production}/organizations/users?size=2'`;
  return [
    '',
    '  The Workflow and Records Platform is ready.',
    '',
    ...table,
    ...(demo ? ['', call] : []),
    '',
  ].join('\n');
}
