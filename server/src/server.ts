import { flushCompileCache } from 'node:module';
import { type ContractDocument, type LoadedContract, loadContract } from '../contract/index.ts';
import { type Listener, listeningUrl, reserve, securityHeaders } from '../http-server/index.ts';
import { environmentApp } from './app.ts';
import { type Config, type EnvironmentName, environmentNames } from './config.ts';
import { type Dependencies, endAll, type OpeningOptions, openDependencies } from './dependencies.ts';
import { type DemoOutcome, prepareDemo, registerDemoWebhook } from './manifest/demo.ts';
import { type DemoFile, demoFilePath } from './manifest/demo-file.ts';
import { operationCalls } from './mcp/calls.ts';
import { documentationOf } from './mcp/documentation.ts';
import { type McpShared, mcpEndpoint, mcpProtocol } from './mcp/endpoint.ts';
import type { Metrics } from './observability/metrics.ts';
import { contractDocuments } from './pages/contract-documents.ts';
import { health, readiness } from './pages/health.ts';
import { openedPortal, portal } from './pages/portal.ts';
import { builtPortal, type PortalSite } from './pages/portal-site.ts';
import type { Role } from './store/connections.ts';

const portVariables: Record<EnvironmentName, string> = { production: 'PORT', sandbox: 'SANDBOX_PORT' };
/** How long open requests may take after the server stops to accept others. */
const drainMilliseconds = 4_500;

export interface WorkerOptions extends Omit<OpeningOptions, 'now' | 'baseUrls' | 'onSweep' | 'role'> {
  /** The clock for expiry and rate limits. */
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
  const { config, logger, loadContract, now = () => new Date(), prepare = async () => undefined } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const listening: Listener[] = [];
  let isStopping = false;
  let stopJobs: () => Promise<unknown> = async () => {};
  const close = async (grace = 0) => {
    isStopping = true;
    const drained = listening.map((listener) => listener.drain(drainMilliseconds, grace));
    const jobsStopped = stopJobs().catch((err) => logger.error({ err }, 'closing'));
    await Promise.all([...drained, jobsStopped]);
    await endAll(closing);
  };
  try {
    const metrics = await serveMetrics(config, closing);
    const listeners = await reservePorts(config, listening);
    const baseUrls = baseUrlsOf(config, listeners);
    const opening = openDependencies({ ...options, now, baseUrls, onSweep: metrics?.swept });
    // If opening fails, nothing is left open, and the error is reported below.
    closing.push(async () => (await opening.catch(() => undefined))?.close());
    const [dependencies, { document, contract }] = await Promise.all([opening, loadContract()]);
    stopJobs = dependencies.stopJobs;
    const { environments } = dependencies;
    const problems = readiness(environments);
    const obstacles = async () => (isStopping ? ['the platform is stopping'] : problems());
    metrics?.monitor({ environments, dataDirectory: config.dataDirectory, now }, obstacles);
    await prepare(dependencies, { baseUrls, contract: document });

    for (const environment of environments) {
      const { name } = environment;
      const other = environments.find((each) => each !== environment);
      const { serverKey, logger } = dependencies;
      const shared = { other, contract, config, serverKey, logger, metrics, now };
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
    // What requests need that nothing has needed yet.
    contract
      .compile()
      .then(mcpProtocol)
      .catch((err) => logger.error({ err }, 'preparing for requests'));
    const ports = { production: listeners.production.port, sandbox: listeners.sandbox.port };
    return { dependencies, baseUrls, ports, metricsPort: metrics?.port, close };
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
  const { config, logger, now = () => new Date() } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const close = () => endAll(closing);
  try {
    const metrics = await serveMetrics(config, closing);
    const baseUrls = config.publicUrls as BaseUrls;
    const { swept: onSweep } = metrics ?? {};
    const dependencies = await openDependencies({ ...options, role: 'work', now, baseUrls, onSweep });
    closing.push(() => dependencies.close());
    const { environments } = dependencies;
    const obstacles = readiness(environments);
    metrics?.monitor({ environments, dataDirectory: config.dataDirectory, now }, obstacles);
    return { metricsPort: metrics?.port, close };
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

async function serveMetrics(
  { metricsHost, metricsPort }: Config,
  closing: (() => Promise<unknown>)[],
): Promise<(Metrics & { port: number }) | undefined> {
  if (metricsPort === undefined) return undefined;
  const { openMetrics } = await import('./observability/metrics.ts');
  const metrics = openMetrics();
  const listener = await metrics.listen(metricsHost, metricsPort);
  closing.push(() => listener.drain(0));
  return { ...metrics, port: listener.port };
}

function baseUrlsOf({ publicUrls, host }: Config, listeners: Record<EnvironmentName, Listener>): BaseUrls {
  const baseUrl = (name: EnvironmentName) => publicUrls[name] ?? listeningUrl(host, listeners[name].port);
  return { production: baseUrl('production'), sandbox: baseUrl('sandbox') };
}

/** What a process opens before it loads the platform. */
type Opened = Pick<PlatformOptions, 'config' | 'logger' | 'progress' | 'database'>;

/**
 * Runs the platform, or one part of it, until SIGTERM or SIGINT; a second signal ends the process at once.
 *
 * @throws an operator error, see `isOperatorError`
 */
export async function startPlatform(opened: Opened, role: Role): Promise<void> {
  const { config } = opened;
  const server = role === 'work' ? await work(opened) : await serve(opened, role);
  // Now, because a process that is killed could not do it at its end.
  flushCompileCache();
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
  await server.close(config.shutdownGraceSeconds * 1000);
}

async function work(opened: Opened): Promise<PlatformWorker & { close(grace: number): Promise<void> }> {
  const worker = await workPlatform(opened);
  console.log('\n  The Workflow and Records Platform is working.\n');
  return worker;
}

async function serve(opened: Opened, role: Exclude<Role, 'work'>) {
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
  console.log(welcome(server.baseUrls, shownDemo));
  builtPortal().catch(({ message }) => console.error(message));
  return server;
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
