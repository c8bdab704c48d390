import createOpenApiClient from 'openapi-fetch';
import { assertNotEmpty } from './authorization.ts';
import type { Client, ClientOptions } from './client-types.ts';
import { serializeBody } from './form-data.ts';
import { retryLoop } from './retry-loop.ts';

/**
 * Creates a client of the platform, based on openapi-fetch.
 *
 * A body with a `Blob` or `File` is sent as a form, which Node buffers in memory; `uploadResource` streams it. To
 * download a file, pass `parseAs: 'stream'` or `'blob'`.
 *
 * @throws {TypeError} for an invalid `baseUrl` or an empty token
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
  const call = retryLoop({ ...options, client, send: inner.request as never });
  return client;
}

/** A path is valid only on a web page, relative to its URL. */
function assertBaseUrl(baseUrl: string): void {
  const page = (globalThis.location as Location | undefined)?.href;
  if (!URL.canParse(baseUrl, page) || !/^https?:$/.test(new URL(baseUrl, page).protocol))
    throw new TypeError(`baseUrl must be a URL such as https://api.example.com, but is "${baseUrl}".`);
}
