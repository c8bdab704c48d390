import createOpenApiClient from 'openapi-fetch';
import { apiKey } from './api-key.ts';
import { assertNotEmpty } from './authorization.ts';
import type { Client, ClientOptions, TokenSource } from './client-types.ts';
import { variable } from './environment.ts';
import { serializeBody } from './form-data.ts';
import { retryLoop } from './retry-loop.ts';

/**
 * Creates a client of the platform, based on openapi-fetch.
 *
 * A body with a `Blob` or `File` is sent as a form, which Node buffers in memory; `uploadResource` streams it. To
 * download a file, pass `parseAs: 'stream'` or `'blob'`.
 *
 * @throws {TypeError} for a missing or invalid `baseUrl` or an empty token
 */
export function createClient({
  baseUrl = variable('WRP_BASE_URL'),
  token = tokenFromEnvironment(),
  headers,
  ...options
}: ClientOptions = {}): Client {
  assertBaseUrl(baseUrl);
  assertNotEmpty(token);
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
    OPTIONS: verb('OPTIONS'),
    HEAD: verb('HEAD'),
    PATCH: verb('PATCH'),
    TRACE: verb('TRACE'),
    request: ((method: string, ...rest: [string, object?]) => verb(method.toUpperCase())(...rest)) as never,
    follow: (link, options) => call('GET', '', { ...options, baseUrl: link, anonymous: true }),
    use: inner.use,
    eject: inner.eject,
  };
  const call = retryLoop({ ...options, token, client, send: inner.request as never });
  return client;
}

function tokenFromEnvironment(): TokenSource | null {
  const key = variable('WRP_API_KEY');
  const secret = variable('WRP_API_SECRET');
  return variable('WRP_TOKEN') ?? (key && secret ? apiKey({ key, secret }) : null);
}

/** A path is valid only on a web page, relative to its URL. */
function assertBaseUrl(baseUrl: string | undefined): asserts baseUrl is string {
  if (baseUrl === undefined) throw new TypeError('baseUrl is missing. Pass it, or set WRP_BASE_URL.');
  const page = (globalThis as { location?: { href: string } }).location?.href;
  if (!URL.canParse(baseUrl, page) || !/^https?:$/.test(new URL(baseUrl, page).protocol))
    throw new TypeError(`baseUrl must be a URL such as https://api.example.com, but is "${baseUrl}".`);
}
