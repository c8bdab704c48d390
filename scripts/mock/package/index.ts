/** A mock of the platform that responds with the contract's examples, as a package: see README.md. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Refused } from '../../../server/contract/index.ts';
import { listeningUrl } from '../../../server/http-server/index.ts';
import { localAccess } from '../../command-line/local-access.ts';
import { exampleMock, serverOf } from '../examples/server.ts';
import type { Fault } from '../fault.ts';
import type { Faults } from '../faults.ts';
import { readContract } from './contract.ts';

export type { Fault } from '../fault.ts';

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
}

/** A mock that listens. */
export interface RunningMock extends Mock {
  /** The base URL of the API, such as `http://127.0.0.1:4010`. */
  url: string;
  port: number;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
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
 * @throws if the contract cannot be read, the address cannot be used, or a host name or an origin is invalid
 */
export async function startMock(options: StartOptions = {}): Promise<RunningMock> {
  const { port = 0, host = '127.0.0.1', allowHost = [], allowOrigin = [] } = options;
  const access = localAccess({ ...options, host, allowHost, allowOrigin });
  const { fetch, faults, listener } = await exampleMock(await readContract(options.contract));
  const server = serverOf(listener, access);
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const url = listeningUrl(host, address.port);
  return {
    url,
    port: address.port,
    faults: faultsOf(faults),
    fetch: fetchOf(fetch, url),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
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
        if (!(error instanceof Refused)) throw error;
        const { errors } = error.refusal;
        throw new Error(
          errors.map(({ pointer, message }) => `${pointer ?? ''} ${message}`.trim()).join('; '),
        );
      }
    },
  };
}
