import { authorization, isPublic } from './authorization.ts';
import type { CallOptions } from './calls.ts';
import type { Client, ClientOptions } from './client.ts';
import { errorBody } from './error-body.ts';
import { alarm, anyOf, ConnectionError, pause, TimeoutError, unlessAborted } from './interruption.ts';
import { defaultPatience, mayPass, type Patience, pauseBefore } from './patience.ts';
import { transmission } from './transmission.ts';
import { UnreadableAnswerError } from './unreadable-answer.ts';

type Answer = { data?: unknown; error?: unknown; response: Response };
type Send = (method: string, path: string, init: object) => Promise<Answer>;

/** What the client itself may ask for, beside what its callers may. */
type Init = CallOptions & { baseUrl?: string; anonymous?: boolean };

interface Calling extends Patience, Pick<ClientOptions, 'token' | 'fetch'> {
  client: Client;
  /** Makes a request out of what the call gives, afresh each time: no body is copied to be sent again. */
  send: Send;
}

/** What came of the last attempt, and what the next one needs to know. */
interface Attempted {
  repeatable: boolean;
  authorization: string | undefined;
}

const idempotencyKey = 'Idempotency-Key';

/**
 * Calls until there is an answer that counts: with a token, within the deadlines, and again where that is safe and
 * may help.
 *
 * @throws {ConnectionError} {TimeoutError} where no answer came; the signal's reason, where the caller gave up
 */
export function calling({ client, send, token, fetch, ...patience }: Calling) {
  const authorize = (rejected?: string) =>
    token === undefined ? undefined : authorization(token, { client, rejected });

  return async function call(method: string, path: string, init: Init = {}): Promise<Answer> {
    const {
      retries,
      timeout,
      attemptTimeout,
      repeatable,
      resendable = true,
      anonymous,
      ...request
    } = {
      ...defaultPatience,
      ...patience,
      ...init,
    };
    const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + timeout;
    const whole = alarm('call', timeout);
    const signal = anyOf(init.signal, whole.signal);
    const key = retries > 0 && resendable && !isPublic(path) ? newKey() : undefined;
    const last: Attempted = { repeatable: false, authorization: undefined };

    const attempt = async (): Promise<Answer> => {
      const one = alarm('attempt', attemptTimeout);
      const either = anyOf(signal, one.signal);
      let sent = false;
      let received: Response | undefined;
      const transmit = async (given: Request) => {
        const { headers } = given;
        if (key && method === 'POST' && !headers.has(idempotencyKey)) headers.set(idempotencyKey, key);
        last.repeatable =
          resendable && (method !== 'POST' || repeatable === true || headers.has(idempotencyKey));
        // A header that the caller gave to this one call stands.
        const own = !anonymous && !isPublic(path) && !headers.has('Authorization');
        last.authorization = own ? await unlessAborted(Promise.resolve(authorize()), either) : undefined;
        if (last.authorization !== undefined) headers.set('Authorization', last.authorization);
        sent = true;
        received = await transmission(given, either, request.fetch ?? fetch ?? globalThis.fetch);
        return received;
      };
      try {
        const answer = await send(method, path, {
          ...request,
          signal: either,
          fetch: transmit,
          follows: either,
        });
        const { response, error } = answer;
        return response.ok ? answer : { error: errorBody(response, error, anonymous), response };
      } catch (error) {
        if (either.aborted) throw either.reason;
        // Not JSON, or not a request that can be made: no fault of the connection.
        if (received && error instanceof SyntaxError) throw new UnreadableAnswerError(received, error);
        throw sent ? new ConnectionError(error) : error;
      } finally {
        one.off();
      }
    };

    /** @returns Whether a 401 was about a token that there is a newer one for. */
    const renewed = async (): Promise<boolean> => {
      const { authorization: rejected } = last;
      if (rejected === undefined || typeof token !== 'function') return false;
      return (await unlessAborted(Promise.resolve(authorize(rejected)), signal)) !== rejected;
    };

    /** Waits for the next attempt. @returns false where there is none. */
    const another = async (repeats: number, response?: Response): Promise<boolean> => {
      const wait = last.repeatable && repeats < retries ? pauseBefore(repeats, response) : undefined;
      if (wait === undefined || Date.now() + wait >= deadline) return false;
      await pause(wait, signal);
      return true;
    };

    try {
      let renewals = 0;
      for (let repeats = 0; ; ) {
        let answer: Answer;
        try {
          answer = await attempt();
        } catch (error) {
          const passing =
            error instanceof ConnectionError ||
            (error instanceof TimeoutError && error.deadline === 'attempt');
          if (!passing || !(await another(repeats++))) throw error;
          continue;
        }
        if (answer.response.status === 401 && renewals++ === 0) {
          if ((await renewed()) && resendable) continue;
          return answer;
        }
        if (!mayPass(answer) || !(await another(repeats++, answer.response))) return answer;
      }
    } finally {
      whole.off();
    }
  };
}

/** 128 random bits; `randomUUID` is not there on pages without TLS. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
