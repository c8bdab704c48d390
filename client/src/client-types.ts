import type { Middleware, Client as OpenApiFetchClient } from 'openapi-fetch';
import type { paths } from './contract.ts';
import type { LogOptions } from './logging.ts';
import type { Call, CallOptions, ParseAs, UntypedResult } from './operation-types.ts';
import type { RetryPolicy } from './retry-policy.ts';

/**
 * An organization token as a string, or an access token (a JWT from `POST /auth/authorize`) as `{ accessToken }`. A string
 * is sent as it is, so an access token in a string begins with `Bearer `.
 */
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

/** What openapi-fetch's client has besides, for libraries that accept one. */
type OpenApiFetch = Pick<OpenApiFetchClient<paths>, 'request' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE'>;

/** One function per HTTP method, typed from the contract: `client.GET('/organizations/users', …)`. */
export interface Client extends OpenApiFetch {
  GET: Call<'get'>;
  PUT: Call<'put'>;
  POST: Call<'post'>;
  DELETE: Call<'delete'>;
  /** Fetches a URL from a response, such as an attachment's link, with retries and timeouts but without the token and the client's `headers`. */
  follow(link: string, options?: CallOptions & { parseAs?: ParseAs }): Promise<UntypedResult>;
  /** Adds openapi-fetch middleware, which runs for every attempt. */
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}

/** Called for every call of a client. What they throw ends the call. */
export interface Hooks {
  /** Before each attempt, with its request as it is sent, `Authorization` included. It may set headers. */
  beforeRequest?: (request: Request, attempt: { retryCount: number }) => void | Promise<void>;
  /** Before the client waits for a retry. */
  onRetry?: (retry: Retry) => void | Promise<void>;
}

export interface Retry {
  /** 1 for the first retry. */
  retryCount: number;
  /** Milliseconds until it is sent. */
  delay: number;
  /** The unsuccessful response; undefined if there was none. */
  response: Response | undefined;
  /** The `ConnectionError` or `TimeoutError`; undefined if there was a response. */
  error: unknown;
}

export interface ClientOptions extends RetryPolicy, LogOptions, Hooks {
  /** The platform's URL, for example `https://api.example.com`. Default: the environment variable `WRP_BASE_URL`. */
  baseUrl?: string;
  /**
   * Required for everything except `/auth/*`. For an API key: `apiKey({ key, secret })`. Default: the environment
   * variable `WRP_TOKEN`, or else an API key from `WRP_API_KEY` and `WRP_API_SECRET`. `null`: none.
   */
  token?: TokenSource | null;
  /** Replaces the global `fetch`, and XMLHttpRequest, by which browsers send uploads with `onProgress`. */
  fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request to the platform, and not to the URLs of `follow()`. */
  headers?: Record<string, string>;
}
