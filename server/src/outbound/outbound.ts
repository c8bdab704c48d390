import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request as sendRequest } from 'undici';
import { failureOf, OutboundFailed, OutboundRefused } from './errors.ts';
import { isPublicAddress } from './public-address.ts';
import { type Resolve, systemResolve } from './resolve.ts';

export interface OutboundRequest {
  /** http or https, without credentials. */
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For all of it, from resolving the name to the last byte of the answer. */
  timeoutMilliseconds: number;
  /** How large the answer's body may be; with 0 it is not read, whatever its size. */
  maximumBytes: number;
  /** Gives up; its reason is thrown. */
  signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A host that was not called, and the address that it is or resolves to: for the operator alone. */
export interface RefusedAddress {
  host: string;
  address: string;
}

/** Calls to addresses that others name. */
export interface Outbound {
  /**
   * Makes one call. A redirect is an answer like any other: it is never followed.
   *
   * @throws OutboundRefused where the address is not one that may be called
   * @throws OutboundFailed where there is no usable answer
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Ends idle connections and what is under way. */
  close(): Promise<void>;
}

/**
 * HTTP for addresses that others name: receivers of webhooks, calls that workflow definitions make. Without
 * `allowPrivate` only addresses of the public internet are called (see `isPublicAddress`). A name is resolved here,
 * once for each connection, and the connection goes to the very addresses that were checked: a second look-up, which
 * could answer otherwise, never happens. All addresses of a name must be public: one that also has an inner address
 * is either an attempt to get in or a mistake, and should not be found out by chance.
 *
 * The error says that an address is not public, and nothing more: whoever names a host must not learn what the internal
 * DNS knows of it.
 *
 * @param options `resolve`: how names become addresses, for tests; `onRefused`: called for each address that is not
 *   public
 */
export function createOutbound({
  allowPrivate,
  resolve = systemResolve(),
  onRefused = () => {},
}: {
  allowPrivate: boolean;
  resolve?: Resolve;
  onRefused?(refused: RefusedAddress): void;
}): Outbound {
  const connect = guardedConnector(resolve, (host, address) => {
    if (allowPrivate || isPublicAddress(address)) return;
    onRefused({ host, address });
    throw new OutboundRefused('address_not_public', 'The address is not public.');
  });
  const agent = new Agent({
    connect,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
  });

  return {
    async request({ url, method, headers, body, timeoutMilliseconds, maximumBytes, signal }) {
      const limit = AbortSignal.timeout(timeoutMilliseconds);
      try {
        const answer = await sendRequest(checkedUrl(url), {
          dispatcher: agent,
          method: method as Dispatcher.HttpMethod,
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
          ...(headers && { headers }),
          ...(body !== undefined && { body }),
        });
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: await readBody(answer.body, maximumBytes),
        };
      } catch (error) {
        throw signal?.aborted ? signal.reason : failureOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** @throws OutboundRefused for what is wrong whatever the name resolves to */
function checkedUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url) throw new OutboundRefused('address_malformed', 'This is no address.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundRefused('scheme_not_allowed', 'Only http and https are called.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('credentials_in_address', 'The address holds credentials.');
  }
  return url;
}

/**
 * Connects to allowed addresses only, whether the host is a name or an address in any notation.
 *
 * @param check throws for an address that may not be called
 */
function guardedConnector(
  resolve: Resolve,
  check: (host: string, address: string) => void,
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, done) => {
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
  const connect = buildConnector({ lookup, allowH2: false, timeout: 10_000 });
  return (options, done) => {
    // The URL parser has given an address in a URL its one notation; no look-up will happen for it.
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    const failed = (error: unknown) => done(error as Error, null);
    try {
      if (isIP(host) !== 0) check(host, host);
    } catch (error) {
      return failed(error);
    }
    connect(options, (error, socket) => {
      if (error) return failed(error);
      // What was checked is what is connected to; should that ever fail, nothing is sent.
      try {
        check(host, (socket as Socket).remoteAddress ?? '');
      } catch (refusal) {
        (socket as Socket).destroy();
        return failed(refusal);
      }
      done(null, socket as Socket);
    });
  };
}

async function readBody(body: Dispatcher.ResponseData['body'], maximumBytes: number): Promise<Buffer> {
  if (maximumBytes === 0) {
    // A short one is taken off the connection, so that it can be used again; a long one costs the connection.
    void body.dump({ limit: 16 * 1024 }).catch(() => {});
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) {
      throw new OutboundFailed('answer_too_large', `The answer is larger than ${maximumBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
