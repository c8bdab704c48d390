import createOpenApiClient, { type Middleware, type Client as OpenApiClient } from 'openapi-fetch';
import type { paths } from '../../generated/types.ts';
import { authorization, isPublic, type TokenSource } from './authorization.ts';
import { serializeBody } from './form-data.ts';

/** One method a verb, typed from the contract: `client.GET('/organizations/users', …)`. */
export type Client = OpenApiClient<paths>;

export type ClientOptions = {
  /** Where the platform is, for example `https://api.example.com`. */
  baseUrl: string;
  /** Needed for everything but `/auth/*`. */
  token?: TokenSource;
  /** Instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  headers?: Record<string, string>;
};

/**
 * A client of the platform. It holds no state and never retries: a call is one request.
 *
 * A body that holds a `Blob` or `File` is sent as a form. To download, pass `parseAs: 'stream'` or `'blob'`.
 */
export function createClient({ baseUrl, token, fetch, headers }: ClientOptions): Client {
  const client = createOpenApiClient<paths>({
    baseUrl,
    bodySerializer: serializeBody,
    ...(fetch && { fetch }),
    ...(headers && { headers }),
  });
  if (token !== undefined) client.use(authorizing(token));
  return client;
}

function authorizing(token: TokenSource): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      // A header that the caller gave to this one call stands.
      if (isPublic(schemaPath) || request.headers.has('Authorization')) return;
      request.headers.set('Authorization', await authorization(token));
    },
  };
}
