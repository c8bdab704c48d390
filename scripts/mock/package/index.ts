/** The mock of the platform as a package: see README.md. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { version } from '../../../generated/version.ts';
import type { Refused } from '../../../server/contract/index.ts';
import { listeningUrl, localAccess, securityHeaders, starting } from '../../../server/http-server/index.ts';
import { exampleMock, serverOf } from '../examples/server.ts';
import type { Fault } from '../fault.ts';
import type { Faults } from '../faults.ts';
import { statefulProblem } from '../options.ts';
import { readContract } from './contract.ts';
import { installedStateful } from './install-stateful.ts';
import type { StatefulMode } from './stateful-mode.ts';

export type { Fault } from '../fault.ts';
export type { StatefulMode } from './stateful-mode.ts';

export interface MockOptions {
  /**
   * Another version of the contract: the URL or path of an OpenAPI 3.1 document in JSON without references to other
   * files, such as `/openapi.json` of a platform, or the document itself. Default: the contract of this package.
   */
  contract?: string | URL | object;
}

/** A mock in this process. */
export interface Mock {
  faults: {
    /** @throws if the fault is invalid */
    add(fault: Fault): Fault;
    list(): Fault[];
    clear(): void;
  };
  /**
   * Responds to a request like `fetch`, without a network: pass it to code that takes a `fetch`. The origin of the URL
   * does not matter, and a path alone is enough.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

export interface StartOptions extends MockOptions {
  /**
   * Executes operations with a temporary database. `true` needs the package `@wrp/mock-stateful`, installed beside this
   * one. Default: false, the examples of the contract.
   */
  stateful?: boolean | StatefulMode;
  /** If it is stateful: how many users, records and executions there are besides the demo's. Default: 0. */
  seed?: number;
  /** If it is stateful: receives every event. */
  webhookUrl?: string;
  /** If it is stateful: origins of private addresses that webhooks and workflows may call. */
  allowTarget?: readonly string[];
  /** Default: 0, any free port. */
  port?: number;
  /** The address to listen on. Default: `127.0.0.1`. */
  host?: string;
  /**
   * Further names in the `Host` header to which it responds. Default: those of this machine, and every IP address if
   * `host` is not a loopback address.
   */
  allowHost?: readonly string[];
  /** Further origins whose pages may call. Default: those of this machine. */
  allowOrigin?: readonly string[];
  /** Called with the reason when a request is refused because of its host or origin. */
  onRefused?(reason: string): void;
  /** If it is stateful: called with what the developer should know, and with what it does while it starts. */
  onProgress?(line: string): void;
}

/** A mock that listens. */
export interface RunningMock extends Mock {
  /** The base URL of the API, such as `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** Stops listening, closes all connections, and deletes the data. */
  close(): Promise<void>;
}

/** A mock that listens and executes operations. */
export interface RunningStatefulMock extends RunningMock {
  /** As `GET /__mock` returns it. */
  description: StatefulDescription;
}

export interface StatefulDescription {
  mode: 'stateful';
  baseUrl: string;
  /** Of the contract. */
  version: string;
  controls: string;
  tokens: Record<'owner' | 'admin' | 'editor' | 'viewer', string>;
  apiKey: { key: string; secret: string };
  /** Objects of the demo. */
  ids: Record<
    'workspaceId' | 'tableId' | 'recordId' | 'caseId' | 'userId' | 'workflowDefinitionId',
    string
  > & {
    definitions: Record<string, string>;
  };
}

/**
 * Creates a mock in this process.
 *
 * @throws if the contract cannot be read
 */
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  const { fetch, faults } = await exampleMock(await readContract(options.contract));
  return { faults: faultsOf(faults), fetch: fetchOf(fetch, 'http://mock.invalid') };
}

/**
 * Starts a mock on a port.
 *
 * @throws if the contract cannot be read, an option needs `stateful`, the address cannot be used, a host name or an origin is invalid, or the stateful
 *   mode is not installed or does not start
 */
export async function startMock(
  options: StartOptions & { stateful: true | StatefulMode },
): Promise<RunningStatefulMock>;
export async function startMock(options?: StartOptions): Promise<RunningMock>;
export async function startMock(options: StartOptions = {}): Promise<RunningMock | RunningStatefulMock> {
  if (!options.stateful) assertStateless(options);
  const { port = 0, host = '127.0.0.1', allowHost = [], allowOrigin = [] } = options;
  const access = localAccess({ ...options, host, allowHost, allowOrigin });
  const contract = await readContract(options.contract);
  const openStateful = options.stateful && (await statefulOf(options.stateful));
  const examples = openStateful ? undefined : await exampleMock(contract);
  let listener: RequestListener = examples?.listener ?? starting(securityHeaders());
  const server = serverOf((request, response) => listener(request, response), access);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const url = listeningUrl(host, address.port);
  const stopListening = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const opened = { url, port: address.port };
  if (examples) {
    const { fetch, faults } = examples;
    return { ...opened, faults: faultsOf(faults), fetch: fetchOf(fetch, url), close: stopListening };
  }
  const { seed = 0, webhookUrl, allowTarget = [], onProgress = () => {} } = options;
  const origins = allowTarget.map((target) => new URL(target).origin);
  const given = {
    contract,
    baseUrl: url,
    seed,
    webhookUrl,
    allowTarget: origins,
    onProgress,
    warn: onProgress,
  };
  const opening = (openStateful as OpenStateful)(given);
  const mock = await opening.catch(async (error) => {
    await stopListening();
    throw error;
  });
  listener = mock.listener;
  return {
    ...opened,
    faults: faultsOf(mock.faults),
    fetch: fetchOf(fetch, url),
    description: mock.description(),
    async close() {
      await stopListening();
      await mock.close();
    },
  };
}

function assertStateless({ seed = 0, webhookUrl, allowTarget = [] }: StartOptions): void {
  const problem = statefulProblem({ seed, webhookUrl, allowTarget });
  if (problem) throw new Error(`${problem.option} needs stateful: without state ${problem.reason}.`);
}

type OpenStateful = typeof import('./stateful.ts').openStateful;

async function statefulOf(mode: true | StatefulMode): Promise<OpenStateful> {
  const found = mode === true ? await installedStateful() : mode;
  if (!found) throw new Error('stateful needs the package @wrp/mock-stateful: install it beside @wrp/mock.');
  if (found.version !== version)
    throw new Error(
      `@wrp/mock-stateful ${found.version ?? 'before 3.3'} does not fit @wrp/mock ${version}: install both in one version.`,
    );
  return found.openStateful as unknown as OpenStateful;
}

function fetchOf(respond: (request: Request) => Promise<Response>, base: string): Mock['fetch'] {
  return async (input, init) =>
    respond(new Request(input instanceof Request ? input : new URL(input, base), init));
}

function faultsOf({ add, list, clear }: Faults): Mock['faults'] {
  return {
    list,
    clear,
    add(fault) {
      try {
        return add(fault);
      } catch (error) {
        // The stateful mode has a class of its own.
        const { refusal } = error as Partial<Refused>;
        if (!refusal) throw error;
        const { errors } = refusal;
        throw new Error(
          errors.map(({ pointer, message }) => `${pointer ?? ''} ${message}`.trim()).join('; '),
        );
      }
    },
  };
}
