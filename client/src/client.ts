import createOpenApiClient, { type Middleware } from 'openapi-fetch';
import { assertNotEmpty, type TokenSource } from './authorization.ts';
import { calling } from './calling.ts';
import type { Call, CallOptions, ParseAs } from './calls.ts';
import { serializeBody } from './form-data.ts';
import type { Patience } from './patience.ts';

/** One method a verb, typed from the contract: `client.GET('/organizations/users', …)`. */
export interface Client {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  DELETE: Call<'delete'>;
  /**
   * Fetches an address that the platform gave, such as an attachment's link, with all that holds for other calls
   * but the token: it does not go there.
   */
  follow(link: string, options?: CallOptions & { parseAs?: ParseAs }): Promise<Followed>;
  /** Adds middleware of openapi-fetch; it sees every attempt. */
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}

/** What is at an address, read as `parseAs` says. */
export interface Followed {
  data?: unknown;
  error?: unknown;
  response: Response;
}

export interface ClientOptions extends Patience {
  /** Where the platform is, for example `https://api.example.com`. */
  baseUrl: string;
  /** Needed for everything but `/auth/*`. For an API key: `apiKey({ key, secret })`. */
  token?: TokenSource;
  /** Instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  headers?: Record<string, string>;
}

/**
 * A client of the platform, thin over openapi-fetch.
 *
 * A body that holds a `Blob` or `File` is sent as a form, which Node reads into memory; `uploadResource` does not. To
 * download, pass `parseAs: 'stream'` or `'blob'`.
 *
 * @throws {TypeError} for a `baseUrl` that is none, and an empty token
 */
export function createClient({ baseUrl, headers, ...options }: ClientOptions): Client {
  assertBaseUrl(baseUrl);
  assertNotEmpty(options.token);
  const inner = createOpenApiClient<Record<string, never>>({
    baseUrl,
    bodySerializer: serializeBody,
    ...(headers && { headers }),
  });
  const verb = (method: string) => (path: string, init?: object) => call(method, path, init) as never;
  const client: Client = {
    GET: verb('GET'),
    PUT: verb('PUT'),
    POST: verb('POST'),
    DELETE: verb('DELETE'),
    follow: (link, options) => call('GET', '', { ...options, baseUrl: link, anonymous: true }),
    use: inner.use,
    eject: inner.eject,
  };
  const call = calling({ ...options, client, send: inner.request as never });
  return client;
}

/** A page may call where it came from, by a path; anything else is a variable that was not set. */
function assertBaseUrl(baseUrl: string): void {
  const page = (globalThis.location as Location | undefined)?.href;
  if (!URL.canParse(baseUrl, page) || !/^https?:$/.test(new URL(baseUrl, page).protocol))
    throw new TypeError(`baseUrl must be an address such as https://api.example.com, but is "${baseUrl}".`);
}
