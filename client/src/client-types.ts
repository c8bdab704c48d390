import type { Middleware } from 'openapi-fetch';
import type { Call, CallOptions, ParseAs, UntypedResult } from './operation-types.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** An organization token (`tot_…`), or an access token from `POST /auth/authorize`. */
export type Token = string | { accessToken: string };

/** The argument of a token source. */
export interface TokenRequest {
  /** The client that needs the token. Its `/auth/` operations need none. */
  client: Client;
  /** The `Authorization` value that just got a 401. Return another token if there is one. */
  rejected: string | undefined;
}

/** A token, or a function that returns the current one. It is called before every request and once after a 401. */
export type TokenSource = Token | ((request: TokenRequest) => Token | Promise<Token>);

/** One function per HTTP method, typed from the contract: `client.GET('/organizations/users', …)`. */
export interface Client {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  DELETE: Call<'delete'>;
  /** Fetches a URL from a response, such as an attachment's link, with retries and timeouts but without the token. */
  follow(link: string, options?: CallOptions & { parseAs?: ParseAs }): Promise<UntypedResult>;
  /** Adds openapi-fetch middleware, which runs for every attempt. */
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}

export interface ClientOptions extends RetryPolicy {
  /** The platform's URL, for example `https://api.example.com`. */
  baseUrl: string;
  /** Required for everything except `/auth/*`. For an API key: `apiKey({ key, secret })`. */
  token?: TokenSource;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  headers?: Record<string, string>;
}
