import createOpenApiClient from 'openapi-fetch';
import { apiKey } from './api-key.ts';
import { assertNotEmpty } from './authorization.ts';
import type { Client, ClientOptions, TokenSource } from './client-types.ts';
import { variable } from './environment.ts';
import { serializeBody } from './form-data.ts';
import { retryLoop } from './retry-loop.ts';

/*
 * openapi-fetch is replaceable: it sends and parses each attempt behind this module, and its types appear in
 * `client-types.ts` and `operation-types.ts` only. It gets no new features, so `operation-types.ts` has the types of
 * calls itself: results that narrow, readonly bodies, and misspelled options that do not compile, each with a type test
 * (test/contract/client-types.test-d.ts). A successor must build a new request per attempt from path, query and body;
 * read JSON, text, blobs and streams; run middleware; and offer `GET`, `PUT`, `POST`, `DELETE` and `request` with the
 * types of openapi-fetch's `Client` to libraries such as openapi-react-query (test/contract/client-libraries.test-d.ts).
 */

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

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
  ...options
}: ClientOptions = {}): Client {
  assertBaseUrl(baseUrl);
  assertNotEmpty(token);
  const inner = createOpenApiClient<Record<string, never>>({
    baseUrl,
    bodySerializer: serializeBody,
  });
  const client = {} as Client;
  const call = retryLoop({ ...options, token, client, send: inner.request as never });
  return Object.assign(client, ...methods.map((method) => ({ [method]: call.bind(null, method) })), {
    request: call,
    // openapi-fetch removes a slash from the end.
    follow: (link: string, options?: object) =>
      call('GET', '', { ...options, baseUrl: `${link}/`, anonymous: true }),
    use: inner.use,
    eject: inner.eject,
  });
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
  const href = URL.canParse(baseUrl, page) ? new URL(baseUrl, page).href : '';
  if (!/^https?:\/\/[^/@]+\//.test(href) || /[?#]/.test(baseUrl)) {
    const shown = baseUrl.replace(/.*@|[?#].*/gs, '***');
    throw new TypeError(`baseUrl must be a URL such as https://api.example.com, but is "${shown}".`);
  }
}
