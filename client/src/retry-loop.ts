import { orAbort } from './abort.ts';
import { authorization, isPublic } from './authorization.ts';
import { encodeBase64url } from './base64url.ts';
import type { Client, ClientOptions, Hooks, TokenSource } from './client-types.ts';
import { ConnectionError, errorBody, operationsOfResponses, ResponseParseError } from './errors.ts';
import { fetchWithSignal } from './fetch.ts';
import { identification } from './identification.ts';
import { type LogOptions, logOf } from './logging.ts';
import type { CallOptions, ParseAs, UntypedResult } from './operation-types.ts';
import { assertParameter, assertParameters, notInHeader, type Parameters } from './request-parameters.ts';
import { withRetries } from './retries.ts';
import type { RetryPolicy } from './retry-policy.ts';

/** `baseUrl` and `anonymous` are set only by `client.follow()`, `progressFetch` only by uploads. */
type Init = CallOptions & {
  baseUrl?: string;
  anonymous?: boolean;
  params?: Parameters;
  parseAs?: ParseAs;
  /** Replaces the global `fetch`, but no other one. */
  progressFetch?: ClientOptions['fetch'];
};

interface RetryLoop extends RetryPolicy, LogOptions, Hooks, Pick<ClientOptions, 'fetch' | 'headers'> {
  token: TokenSource | null;
  client: Client;
  /** Builds a new request for each attempt, so no body is cloned. */
  send(method: string, path: string, init: object): Promise<UntypedResult>;
}

const idempotencyKey = 'Idempotency-Key';

/**
 * Creates the function behind every call: it authorizes each attempt, enforces the timeouts, and retries transient
 * failures of safe requests.
 *
 * @throws {InvalidParameterError} before anything is sent
 * @throws {ConnectionError} {TimeoutError} if there is no response; the signal's reason if the caller aborts
 */
export function retryLoop({
  client,
  send,
  token,
  fetch,
  headers: clientHeaders,
  logger,
  logLevel,
  beforeRequest,
  onRetry,
  ...policy
}: RetryLoop) {
  const authorize = (source: TokenSource, signal: AbortSignal, rejected?: string) =>
    orAbort(authorization(source, { client, rejected }), signal);
  const log = logOf(logger, logLevel);

  return async (verb: string, path: string, init: Init = {}): Promise<UntypedResult> => {
    const method = verb.toUpperCase();
    const {
      retries = 2,
      timeout,
      attemptTimeout,
      idempotent,
      resendable = true,
      anonymous,
      progressFetch = globalThis.fetch,
      ...options
    } = {
      ...policy,
      ...init,
    };
    /** The method and the path for errors and the log. All of the URL of a followed link may be secret. */
    const operation = `${method} ${anonymous ? 'of a followed URL' : path}`;
    const own = (init.headers ?? {}) as Record<string, unknown> | Iterable<[string, string]>;
    const headers = {
      // The headers of the client may be credentials, which a followed URL must not get.
      ...(!anonymous && clientHeaders),
      // openapi-fetch takes a list of pairs for a record.
      ...(Symbol.iterator in own ? Object.fromEntries(own) : own),
    };
    assertParameters(operation, anonymous ? '/' : path, init.params, headers);
    const isOpen = anonymous || isPublic(path);
    const key = retries > 0 && resendable && !isOpen ? newKey() : undefined;
    let retryable = false;
    let lastAuthorization: string | undefined;
    let renewed = false;
    /** With the URL, once it is known. */
    let name = operation;

    const sendOnce = async (signal: AbortSignal, retryCount: number): Promise<UntypedResult> => {
      let origin: string | undefined;
      let received: Response | undefined;
      const authorizeAndFetch = async (request: Request) => {
        const { headers } = request;
        if (key && method === 'POST' && !headers.has(idempotencyKey)) headers.set(idempotencyKey, key);
        retryable = resendable && (method !== 'POST' || !!idempotent || headers.has(idempotencyKey));
        lastAuthorization = undefined;
        if (token !== null && !isOpen && !headers.has('Authorization')) {
          lastAuthorization = await authorize(token, signal);
          // The message of `set` would have the token.
          assertParameter(operation, 'Authorization', lastAuthorization.trim(), notInHeader);
          headers.set('Authorization', lastAuthorization);
        }
        const [header, value] = identification(retryCount);
        // Elsewhere than on the platform, an unknown header may not be allowed to browsers.
        if (!anonymous && !headers.has(header)) headers.set(header, value);
        await beforeRequest?.(request, { retryCount });
        ({ origin } = new URL(request.url));
        name = `${method} ${anonymous ? `${origin}/***` : request.url}`;
        log('debug', name, headers);
        const startedAt = Date.now();
        received = await fetchWithSignal(request, signal, options.fetch ?? fetch ?? progressFetch);
        const id = received.headers.get('Request-Id');
        const duration = `${Date.now() - startedAt} ms`;
        log(
          'info',
          `${name}: ${received.status} in ${duration}${id ? `, request ${id}` : ''}`,
          received.headers,
        );
        return received;
      };
      try {
        const { parseAs } = init;
        const result = await send(method, path, {
          // Their bodies are credentials, and their responses keys.
          redirect: isPublic(path) ? 'error' : 'follow',
          ...options,
          headers,
          signal,
          fetch: authorizeAndFetch,
          hasSignal: true,
        });
        const { response, data, error } = result;
        operationsOfResponses.set(response, operation);
        if (!response.ok) return { error: errorBody(response, error, anonymous), response };
        // openapi-fetch does not read an empty body.
        if (data !== undefined || !parseAs || parseAs === 'json') return result;
        return { data: parseAs === 'stream' ? response.body : await response[parseAs](), response };
      } catch (error) {
        if (received && error instanceof SyntaxError)
          throw new ResponseParseError(received, error, anonymous ? origin : received.url || origin);
        // Before the request is sent, the error comes from middleware, a token source or invalid options.
        throw origin ? new ConnectionError(error, origin) : error;
      }
    };

    const attempt = async (signal: AbortSignal, retryCount: number): Promise<UntypedResult> => {
      const result = await sendOnce(signal, retryCount);
      const rejected = lastAuthorization;
      if (result.response.status !== 401 || renewed || !rejected || typeof token !== 'function')
        return result;
      renewed = true;
      // The source learns of a rejected token even if the body cannot be sent again.
      const current = await authorize(token, signal, rejected);
      // An access token, which has a space, is renewed even if it is equal, as that of the stateless mock is.
      const isRenewed = current !== rejected || rejected.includes(' ');
      return isRenewed && resendable ? sendOnce(signal, retryCount) : result;
    };

    return withRetries(operation, attempt, {
      retries,
      timeout,
      attemptTimeout,
      signal: init.signal,
      isRetryable: () => retryable,
      onRetry(retry) {
        const { retryCount, delay, response, error } = retry;
        const wait = `${Math.round(delay)} ms after ${response?.status ?? error}`;
        log('warn', `${name}: retry ${retryCount} of ${retries} in ${wait}`);
        return onRetry?.(retry);
      },
    }).catch((error) => {
      log('error', `${name}: ${error}`);
      throw error;
    });
  };
}

/** 128 random bits. `crypto.randomUUID` is unavailable on pages without TLS. */
function newKey(): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(16)));
}
