import createOpenApiClient from 'openapi-fetch';
import { tokenFromEnvironment } from '#environment';
import { assertNotEmpty } from './authorization.ts';
import { baseUrlOf } from './base-url.ts';
import type { Client, ClientOptions } from './client-types.ts';
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

/**
 * Creates a client of the platform, based on openapi-fetch.
 *
 * A body with a `Blob` or `File` is sent as a form, which Node buffers in memory; `uploadResource` streams it. To
 * download a file, pass `parseAs: 'stream'` or `'blob'`.
 *
 * @throws {TypeError} for a missing or invalid `baseUrl` or an empty token
 */
export function createClient({
  baseUrl,
  token = tokenFromEnvironment?.() ?? null,
  ...options
}: ClientOptions = {}): Client {
  const inner = createOpenApiClient<Record<string, never>>({
    baseUrl: baseUrlOf(baseUrl),
    bodySerializer: serializeBody,
  });
  assertNotEmpty(token);
  const client = {} as Client;
  const call = retryLoop({ ...options, token, client, send: inner.request as never });
  // Besides one function per HTTP method, `inner` has three that are replaced here.
  return Object.assign(
    client,
    ...Object.keys(inner).map((method) => ({ [method]: call.bind(null, method) })),
    {
      request: call,
      // openapi-fetch removes a slash from the end.
      follow: (link: string, options?: object) =>
        call('GET', '', { ...options, baseUrl: `${link}/`, anonymous: true }),
      use: inner.use,
      eject: inner.eject,
    },
  );
}
