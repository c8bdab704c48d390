import { createInterface } from 'node:readline';
import { createClient } from '../../client.ts';
import type { Client } from '../../client-types.ts';
import { ApiError } from '../../errors.ts';
import { type Delivery, isDelivered } from './forward.ts';
import { listener } from './listener.ts';
import { jsonReport, type ListenReport, type Output, textReport } from './report.ts';

/** The least that a token needs. */
export const permitted = 'of a user with the permission can_receive_events, which owners and admins have';

/** The listener cannot start or go on. The message is for the developer. */
export class ListenError extends Error {}

export interface ListenOptions {
  /** The receiver's URL. */
  to: string;
  /** The sandbox's URL. Default: the environment variable `WRP_BASE_URL`. */
  baseUrl?: string | undefined;
  /** Starts with the events of this long ago, for example `90s`, `10m` or `24h`. */
  since?: string | undefined;
  /** Sends only this event, then ends. */
  resend?: string | undefined;
  /** Prints JSON lines. */
  json?: boolean | undefined;
}

/** The process that listens. */
export interface ListenProcess extends Output {
  stdin: NodeJS.ReadableStream;
  /** Aborts on Ctrl-C. */
  signal: AbortSignal;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const lastDay = 'The platform keeps events for this for 24 hours.';

/**
 * Forwards the events of the sandbox to a receiver until the signal aborts, or sends one event again. The token comes
 * from the environment variables of `createClient`.
 *
 * @throws {ListenError} for invalid options, and if the platform refuses
 */
export async function listen(
  { to, baseUrl = process.env['WRP_BASE_URL'], since, resend, json }: ListenOptions,
  { stdin, signal, ...output }: ListenProcess,
): Promise<void> {
  assertUrl('The receiver', to, 'http://localhost:3000/hooks');
  assertUrl('WRP_BASE_URL, the URL of the sandbox,', baseUrl, 'http://127.0.0.1:8081');
  const sinceSeconds = since === undefined ? undefined : secondsOf(since);
  if (resend !== undefined && !uuid.test(resend))
    throw new ListenError(`${resend} is not the ID of an event.`);
  const { WRP_TOKEN: token, WRP_API_KEY: key } = process.env;
  if (!token && !key)
    throw new ListenError(`Set WRP_TOKEN to an organization token of the sandbox, ${permitted}.`);
  const report = withHint((json ? jsonReport : textReport)(output), baseUrl);
  const { run, resend: send } = listener({ client: clientOf(baseUrl), to, signal, report });
  try {
    if (resend !== undefined) return await sendOnce(resend, send);
    const lines = createInterface({ input: stdin });
    lines.on('line', async (line) => {
      const [, isResend, id] = /^\s*(r)(?:\s+(\S+))?\s*$/.exec(line) ?? [];
      if (!isResend) return;
      if (id !== undefined && !uuid.test(id)) return report.notice(`${id} is not the ID of an event.`);
      try {
        if (!(await send(id)) && !signal.aborted) report.notice(`There is no such event. ${lastDay}`);
      } catch (error) {
        report.notice((error as Error).message);
      }
    });
    try {
      await run(sinceSeconds, () => report.ready(baseUrl, to));
    } finally {
      lines.close();
    }
    report.stopped();
  } catch (error) {
    throw explained(error, baseUrl);
  }
}

/** A report that explains, once, what a receiver that does not accept the signature may do wrong. */
function withHint(report: ListenReport, baseUrl: string): ListenReport {
  let isExplained = false;
  const delivered = (delivery: Delivery) => {
    report.delivered(delivery);
    if (isExplained || ![400, 401, 403].includes(delivery.status ?? 0)) return;
    isExplained = true;
    report.notice(
      `If the receiver could not verify the event, check that its webhookVerifier's baseUrl is ${baseUrl}, because each environment has its own keys, and that it verifies the bytes of the body before it is parsed, for example by express.json().`,
    );
  };
  return { ...report, delivered };
}

async function sendOnce(id: string, send: ReturnType<typeof listener>['resend']): Promise<void> {
  const delivery = await send(id);
  if (!delivery) throw new ListenError(`There is no event ${id}. ${lastDay}`);
  if (!isDelivered(delivery)) throw new ListenError('The receiver did not accept the event.');
}

/** Credentials in a URL are refused, because `fetch` refuses them. The message does not have them. */
function assertUrl(what: string, url: string | undefined, example: string): asserts url is string {
  if (url === undefined || !URL.canParse(url) || !/^https?:\/\/[^/@]+\//.test(new URL(url).href)) {
    const given = url ? `, not ${url.replace(/.*@/s, '***@')}` : '';
    throw new ListenError(`${what} must be a URL such as ${example}${given}.`);
  }
}

/** @throws {ListenError} for what the client cannot use, such as a URL with a query */
function clientOf(baseUrl: string): Client {
  try {
    return createClient({ baseUrl });
  } catch (error) {
    throw new ListenError((error as Error).message);
  }
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600 };

/** @throws {ListenError} for more than 24 hours */
function secondsOf(duration: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(duration) ?? [];
  const seconds = Number(count) * (units[unit] ?? Number.NaN);
  if (!(seconds <= 24 * 3600))
    throw new ListenError(
      `--since must be a duration such as 90s, 10m or 24h, at most 24h, not ${duration}.`,
    );
  return seconds;
}

function explained(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const text = explanationOf(error, baseUrl);
  return new ListenError(text, { cause: error });
}

function explanationOf({ status, code, message, errors }: ApiError, baseUrl: string): string {
  if (code === 'sandbox_only')
    return `${baseUrl} is production, which does not forward events. Set WRP_BASE_URL to the URL of the sandbox, and WRP_TOKEN to a token of the sandbox.`;
  if (status === 401)
    return `${baseUrl} does not accept the token. ${errors[0]?.message ?? ''} The listener needs the URL of the sandbox in WRP_BASE_URL, and a token of the sandbox in WRP_TOKEN.`;
  if (code === 'permission_denied')
    return `The token's user may not receive events. Use a token ${permitted}.`;
  if (status === 404)
    return `${baseUrl} has no events to poll for: it is not the platform's URL, or its version is too old.`;
  return `${baseUrl} refused the request. ${message}`;
}
