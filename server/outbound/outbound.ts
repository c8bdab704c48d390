import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { OutboundFailed, OutboundRefused, toOutboundError } from './errors.ts';
import { isPublicAddress } from './public-address.ts';
import { type Resolve, systemResolve } from './resolve.ts';

interface OutboundRequest {
  /** http or https, without credentials. */
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For the whole request, from resolving the name to the last byte of the response. */
  timeoutMilliseconds: number;
  /** The maximum size of the response body. 0: the body is not read. */
  maximumBytes: number;
  /** Aborts the request with the signal's reason. */
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  status: number;
  /** With names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A host that was refused and the address that it is or resolves to. Only for the operator. */
export interface RefusedAddress {
  host: string;
  address: string;
}

/** HTTP requests to URLs that callers choose. */
export interface Outbound {
  /**
   * Sends one request. Redirects are not followed.
   *
   * @throws OutboundRefused if the URL is not allowed
   * @throws OutboundFailed if there is no usable response
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Closes all connections and aborts requests in progress. */
  close(): Promise<void>;
}

interface OutboundOptions {
  /** Allows addresses outside the public internet: all, none, or those of URLs with one of these origins. */
  allowPrivate: boolean | readonly string[];
  /** Resolves names. Default: `systemResolve`. */
  resolve?: Resolve;
  /** Called for each address that is refused because it is not public. */
  onRefused?(refused: RefusedAddress): void;
}

/**
 * An HTTP client for URLs that callers choose: webhook endpoints and the URLs in workflow definitions. Unless
 * `allowPrivate` allows the target, only public addresses are allowed (see `isPublicAddress`). A name is resolved once per
 * connection, and the connection uses the checked addresses, so that a second lookup cannot return others. All
 * addresses of a name must be public: with a mixture, the outcome would depend on chance.
 *
 * The error says only that an address is not public: the caller must not learn what the internal DNS contains.
 */
export function createOutbound({
  allowPrivate,
  resolve = systemResolve(),
  onRefused = () => {},
}: OutboundOptions): Outbound {
  const allowsPrivate = (origin: string) =>
    typeof allowPrivate === 'boolean' ? allowPrivate : allowPrivate.includes(origin);
  const check = (host: string, address: string) => {
    if (isPublicAddress(address)) return;
    onRefused({ host, address });
    throw new OutboundRefused('address_not_public', 'The address is not public.');
  };
  // Loaded for the first request, because it would take a twentieth of the platform's start.
  let client: ReturnType<typeof openClient> | undefined;
  const openClient = async () => {
    const { Agent, buildConnector, request } = await import('undici');
    const dispatcher = new Agent({
      connect: guardedConnector(buildConnector, { resolve, allowsPrivate, check }),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32 * 1024,
    });
    return { request, dispatcher };
  };

  return {
    async request({ url, method, headers, body, timeoutMilliseconds, maximumBytes, signal }) {
      const timeout = AbortSignal.timeout(timeoutMilliseconds);
      try {
        const checked = checkedUrl(url);
        client ??= openClient();
        const { request, dispatcher } = await client;
        const response = await request(checked, {
          dispatcher,
          method: method as Dispatcher.HttpMethod,
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          ...(headers && { headers }),
          ...(body !== undefined && { body }),
        });
        return {
          status: response.statusCode,
          headers: response.headers,
          body: await readBody(response.body, maximumBytes),
        };
      } catch (error) {
        throw signal?.aborted ? signal.reason : toOutboundError(error);
      }
    },
    close: async () => (await client)?.dispatcher.destroy(),
  };
}

/** Checks what does not depend on the resolved address. @throws OutboundRefused */
export function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new OutboundRefused('address_malformed', 'The address is not a valid URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused('scheme_not_allowed', 'Only http and https are allowed.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('credentials_in_address', 'The address contains credentials.');
  }
  return url;
}

interface Guard {
  resolve: Resolve;
  allowsPrivate(origin: string): boolean;
  /** Throws for an address that is not public. */
  check(host: string, address: string): void;
}

/** Connects only to allowed addresses, whether the host is a name or an IP address in any notation. */
function guardedConnector(
  build: typeof buildConnector,
  { resolve, allowsPrivate, check }: Guard,
): buildConnector.connector {
  const lookupWith =
    (check: Guard['check']): LookupFunction =>
    (hostname, options, done) => {
      resolve(hostname).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIP(address) }));
          const [first] = all;
          try {
            if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
            for (const { address } of all) check(hostname, address);
          } catch (error) {
            return done(error as Error, '', 0);
          }
          if (options.all) done(null, all);
          else done(null, first.address, first.family);
        },
        (error) => done(error, '', 0),
      );
    };
  const connectorWith = (check: Guard['check']) =>
    build({ lookup: lookupWith(check), allowH2: false, timeout: 10_000 });
  const connect = connectorWith(check);
  const connectUnchecked = connectorWith(() => {});
  return (options, done) => {
    if (allowsPrivate(new URL(`${options.protocol}//${options.host}`).origin))
      return connectUnchecked(options, done);
    // `lookup` is not called for an IP address. The URL parser has normalized it.
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const fail = (error: unknown) => done(error as Error, null);
    try {
      if (isIP(host) !== 0) check(host, host);
    } catch (error) {
      return fail(error);
    }
    connect(options, (error, socket) => {
      if (error) return fail(error);
      // A second line of defense: checks the address of the connection before anything is sent.
      try {
        check(host, (socket as Socket).remoteAddress ?? '');
      } catch (refusal) {
        (socket as Socket).destroy();
        return fail(refusal);
      }
      done(null, socket as Socket);
    });
  };
}

async function readBody(body: Dispatcher.ResponseData['body'], maximumBytes: number): Promise<Buffer> {
  if (maximumBytes === 0) {
    // Reads a short body so that the connection can be reused. A longer body closes the connection.
    void body.dump({ limit: 16 * 1024 }).catch(() => {});
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) {
      throw new OutboundFailed('response_too_large', `The response is larger than ${maximumBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
