import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { isIP } from 'node:net';
import { refuse } from '../contract/index.ts';
import { isLocalOrigin } from './cross-origin.ts';
import { securityHeaders } from './default-headers.ts';
import { isMalformed, malformed, sendRefusal, strictness } from './fallback-responses.ts';
import { hostNameIn, originIn, withoutRoot } from './host-names.ts';

export interface AccessOptions {
  /** The address that the server listens on. Default: `127.0.0.1`. */
  host?: string;
  /** Further names in `Host`, from `--allow-host`. Undefined: the server has no such option. */
  allowHost?: readonly string[];
  /** Further origins of pages, from `--allow-origin`. Undefined: the server has no such option. */
  allowOrigin?: readonly string[];
  /** Called with the reason for each request that is refused, for the developer. */
  onRefused?(reason: string): void;
}

/** Who may call a server on the developer's machine (decision 45). */
export interface LocalAccess {
  /** Why a request is refused; undefined if it is not. */
  refusalOf(request: IncomingMessage): string | undefined;
  onRefused(reason: string): void;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Any web page in the developer's browser can send requests to a server on the same machine. This admits programs, and
 * pages of this machine or of what the command line names:
 *
 * - `Host` must be a loopback name or a named one. A page whose own name resolves to this machine (DNS rebinding) is
 *   of the same origin for the browser, and only `Host` reveals it. A server that listens on another address may also
 *   be called by any IP address: no name server can make one point elsewhere.
 * - `Origin`, which browsers send with everything that a page may read or that is not a GET, must be a loopback origin
 *   with any port, a named origin, or of the same host as the server.
 * - A GET without `Origin`, such as that of an image, must come from such a page too, by `Sec-Fetch-Site` (W3C Fetch
 *   Metadata) and `Referer`. Links of any site may open a page of the server in a tab, but not in a frame. Browsers send
 *   this metadata to loopback addresses and over https only.
 *
 * @throws if an option is not a host name or an origin
 */
export function localAccess(options: AccessOptions = {}): LocalAccess {
  const { host = '127.0.0.1', allowHost, allowOrigin, onRefused = () => {} } = options;
  const own = isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
  const names = new Set([...loopbackNames, own, ...(allowHost ?? []).map((text) => valid(text, hostNameIn))]);
  const origins = new Set((allowOrigin ?? []).map((text) => valid(text, originIn)));
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  const isKnownHost = (name: string) => names.has(name) || (!isLoopback && isAddress(name));
  const isTrusted = (origin: string, name: string) =>
    isLocalOrigin(origin) || origins.has(origin) || hostOfOrigin(origin) === name;

  const refusedHost = (authority: string) => {
    const named = printable(authority.replace(/:\d*$/, ''));
    return `This server does not respond to the host ${named}. ${remedy(allowHost, '--allow-host', named)}`;
  };
  const refusedOrigin = (text: string) => {
    const origin = printable(text);
    return `Pages of ${origin} may not call this server. ${remedy(allowOrigin, '--allow-origin', origin)}`;
  };

  return {
    onRefused,
    refusalOf(request) {
      const { host: authority, origin, referer, 'sec-fetch-site': site } = request.headers;
      if (!authority) return 'The request has no Host header.';
      const name = nameOf(authority);
      // RFC 9112, section 3.2.2: the authority of a request target counts, if it has one.
      const [, target = authority] = /^\w+:\/\/([^/?#]*)/.exec(request.url ?? '') ?? [];
      for (const one of [authority, target]) if (!isKnownHost(nameOf(one))) return refusedHost(one);
      if (origin === 'null' && site !== 'same-origin')
        return 'A page without an origin, such as a file, may not call this server. Serve it at http://localhost.';
      if (origin !== undefined && origin !== 'null')
        return isTrusted(origin, name) ? undefined : refusedOrigin(origin);
      if (site === undefined || site === 'none' || site === 'same-origin') return undefined;
      if (isTopLevelNavigation(request)) return undefined;
      // Ports do not count for a site, so the page is of this machine, too.
      if (site === 'same-site' && loopbackNames.includes(name)) return undefined;
      if (!referer || !URL.canParse(referer)) return 'A page of another site may not load this.';
      const from = new URL(referer).origin;
      return isTrusted(from, name) ? undefined : refusedOrigin(from);
    },
  };
}

/**
 * Passes on only requests that are not refused. The others get 403 and an error object, without CORS headers, so that
 * the page cannot read it.
 */
export function guarded({ refusalOf, onRefused }: LocalAccess, listener: RequestListener): RequestListener {
  return (request, response) => {
    const message = refusalOf(request);
    if (message === undefined) return listener(request, response);
    onRefused(message);
    for (const [header, value] of Object.entries(securityHeaders())) response.setHeader(header, value);
    sendRefusal(request, response, refuse(403, 'permission_denied', { message }));
  };
}

/** An HTTP server of a tool, not listening yet, as strict as the platform. */
export function guardedServer(listener: RequestListener, access = localAccess()): Server {
  const pass = guarded(access, listener);
  const refuse = malformed(securityHeaders());
  return createServer(strictness, (request, response) =>
    isMalformed(request) ? refuse(request, response) : pass(request, response),
  );
}

/** Whether a link on another site opened this in a tab. */
export function isOpenedByOtherSite(request: IncomingMessage): boolean {
  return isTopLevelNavigation(request) && request.headers['sec-fetch-site'] === 'cross-site';
}

function isTopLevelNavigation({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    headers.origin === undefined
  );
}

function valid(text: string, parse: (text: string) => string | undefined): string {
  const parsed = parse(text);
  if (parsed === undefined)
    throw new Error(`${JSON.stringify(text)} is not ${parse === originIn ? 'an origin' : 'a host name'}.`);
  return parsed;
}

/** The host of an authority as in `Host`; empty if it is not one. */
function nameOf(authority: string): string {
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d{0,5})?$/i.exec(authority) ?? [];
  return withoutRoot(name.toLowerCase());
}

function isAddress(name: string): boolean {
  return isIP(name) === 4 || isIP(name.replace(/^\[(.*)\]$/, '$1')) === 6;
}

/** Undefined for an origin that is not of http or https, or not written as browsers write it. */
function hostOfOrigin(origin: string): string | undefined {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return undefined;
  const url = new URL(origin);
  return url.origin === origin ? withoutRoot(url.hostname) : undefined;
}

function remedy(allowed: readonly string[] | undefined, option: string, value: string): string {
  return allowed
    ? `Start it with ${option} ${value} to allow that.`
    : 'Only localhost, 127.0.0.1 and [::1] may.';
}

/** Replaces all but printable ASCII: a header may contain control characters, which terminals interpret. */
function printable(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 200);
}
