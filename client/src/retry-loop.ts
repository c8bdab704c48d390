import { anySignal, deadlineAfter, orAbort, sleep } from './abort.ts';
import { authorization, isPublic } from './authorization.ts';
import type { Client, ClientOptions, Hooks, TokenSource } from './client-types.ts';
import { identification } from './environment.ts';
import { ConnectionError, errorBody, ResponseParseError, TimeoutError } from './errors.ts';
import { fetchWithSignal } from './fetch.ts';
import { type LogOptions, logOf } from './logging.ts';
import type { CallOptions, UntypedResult } from './operation-types.ts';
import { defaultPolicy, isTransient, type RetryPolicy, retryDelay } from './retry-policy.ts';

/** `baseUrl` and `anonymous` are set only by `client.follow()`. */
type Init = CallOptions & { baseUrl?: string; anonymous?: boolean };

interface RetryLoop extends RetryPolicy, LogOptions, Hooks, Pick<ClientOptions, 'fetch'> {
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
 * @throws {ConnectionError} {TimeoutError} if there is no response; the signal's reason if the caller aborts
 */
export function retryLoop({
  client,
  send,
  token,
  fetch,
  logger,
  logLevel,
  beforeRequest,
  onRetry,
  ...policy
}: RetryLoop) {
  const authorize = (rejected?: string) =>
    token === null ? undefined : authorization(token, { client, rejected });
  const log = logOf({ ...(logger && { logger }), ...(logLevel && { logLevel }) });

  return async function call(method: string, path: string, init: Init = {}): Promise<UntypedResult> {
    const {
      retries,
      timeout,
      attemptTimeout,
      idempotent,
      resendable = true,
      anonymous,
      ...options
    } = {
      ...defaultPolicy,
      ...policy,
      ...init,
    };
    const endsAt = timeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeout;
    /** The method and the path for errors and the log. All of the URL of a followed link may be secret. */
    const operation = `${method} ${anonymous ? 'of a followed URL' : path}`;
    const callDeadline = deadlineAfter(timeout, 'call', operation);
    const callSignal = anySignal(init.signal, callDeadline.signal);
    const key = retries > 0 && resendable && !isPublic(path) ? newKey() : undefined;
    let retryable = false;
    let lastAuthorization: string | undefined;
    let retryCount = 0;
    /** With the URL, once it is known. */
    let name = operation;

    const attempt = async (): Promise<UntypedResult> => {
      const deadline = deadlineAfter(attemptTimeout, 'attempt', operation);
      const signal = anySignal(callSignal, deadline.signal);
      let origin: string | undefined;
      let received: Response | undefined;
      const authorizeAndFetch = async (request: Request) => {
        const { headers } = request;
        if (key && method === 'POST' && !headers.has(idempotencyKey)) headers.set(idempotencyKey, key);
        retryable = resendable && (method !== 'POST' || idempotent === true || headers.has(idempotencyKey));
        const needsToken = !anonymous && !isPublic(path) && !headers.has('Authorization');
        lastAuthorization = needsToken ? await orAbort(Promise.resolve(authorize()), signal) : undefined;
        if (lastAuthorization !== undefined) headers.set('Authorization', lastAuthorization);
        const [header, value] = identification(retryCount);
        // Elsewhere than on the platform, an unknown header may not be allowed to browsers.
        if (!anonymous && !headers.has(header)) headers.set(header, value);
        await beforeRequest?.(request, { retryCount });
        ({ origin } = new URL(request.url));
        name = `${method} ${anonymous ? `${origin}/***` : request.url}`;
        log('debug', name, headers);
        const startedAt = Date.now();
        received = await fetchWithSignal(request, signal, options.fetch ?? fetch ?? globalThis.fetch);
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
        const requestInit = { ...options, signal, fetch: authorizeAndFetch, hasSignal: true };
        const result = await send(method, path, requestInit);
        const { response, error } = result;
        return response.ok ? result : { error: errorBody(response, error, anonymous), response };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (received && error instanceof SyntaxError) throw new ResponseParseError(received, error);
        // Before the request is sent, the error comes from middleware, a token source or invalid options.
        throw origin ? new ConnectionError(error, origin) : error;
      } finally {
        deadline.clear();
      }
    };

    /** @returns Whether the token source has another token than the rejected one. */
    const renewToken = async (): Promise<boolean> => {
      const rejected = lastAuthorization;
      if (rejected === undefined || typeof token !== 'function') return false;
      return (await orAbort(Promise.resolve(authorize(rejected)), callSignal)) !== rejected;
    };

    /** Waits before the next retry. @returns false if there is none. */
    const backOff = async (response?: Response, error?: unknown): Promise<boolean> => {
      const delay = retryable && retryCount < retries ? retryDelay(retryCount, response) : undefined;
      if (delay === undefined || Date.now() + delay >= endsAt) return false;
      retryCount++;
      const reason = response?.status ?? error;
      log('warn', `${name}: retry ${retryCount} of ${retries} in ${Math.round(delay)} ms after ${reason}`);
      await onRetry?.({ retryCount, delay, response, error });
      await sleep(delay, callSignal);
      return true;
    };

    try {
      let renewed = false;
      for (;;) {
        let result: UntypedResult;
        try {
          result = await attempt();
        } catch (error) {
          const transient =
            error instanceof ConnectionError ||
            (error instanceof TimeoutError && error.deadline === 'attempt');
          if (transient && (await backOff(undefined, error))) continue;
          log('error', `${name}: ${error}`);
          throw error;
        }
        if (result.response.status === 401 && !renewed) {
          renewed = true;
          if ((await renewToken()) && resendable) continue;
          return result;
        }
        if (!isTransient(result) || !(await backOff(result.response))) return result;
      }
    } finally {
      callDeadline.clear();
    }
  };
}

/** 128 random bits. `crypto.randomUUID` is unavailable on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
