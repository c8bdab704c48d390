import type { IncomingMessage } from 'node:http';
import { problemOfWebhookUrl } from '../../../server/src/domain/webhook-urls.ts';
import { readJsonBody } from '../../../server/src/http/json-body.ts';
import { refuse } from '../../../server/src/http/operation.ts';
import { Refused } from '../../../server/src/http/refused.ts';
import { hasBody } from '../../../server/src/http/unread-body.ts';
import { registerEndpoint } from '../../../server/src/store/webhook-endpoints.ts';
import { listDeliveries, listEndpoints } from '../../../server/src/store/webhook-log.ts';
import { advanceClock } from './advance-clock.ts';
import { durationOf, type MovableClock } from './clock.ts';
import { mailsIn } from './mailbox.ts';
import { type MockPlatform, outboxOf } from './platform.ts';

/** The path of the controls, which no path of the contract begins with. */
export const controlPath = '/__mock';

export interface ControlOptions {
  clock: MovableClock;
  organizationId: string;
  /** What `GET /__mock` returns besides the time. */
  description(): object;
  platform(): MockPlatform;
  reset(): Promise<void>;
}

type Control = (body: Record<string, unknown>) => Promise<object>;

const bodyIdleMilliseconds = 20_000;
const maximumAdvance = 366 * 86_400_000;

/** The controls of a running mock: `METHOD /path` to a function that returns the response body. */
export function mockControls(options: ControlOptions): Record<string, Control> {
  const { clock, organizationId, description, platform } = options;
  const time = () => ({ now: clock.now().toISOString(), aheadSeconds: Math.round(clock.ahead() / 1000) });
  let advancing: Promise<unknown> = Promise.resolve();

  return {
    'GET ': async () => ({ ...description(), clock: time() }),
    'POST /reset': async () => {
      await advancing;
      await options.reset();
      return { ...description(), clock: time() };
    },
    'GET /clock': async () => time(),
    'POST /clock': async ({ advance, to }) => {
      const milliseconds = advanceOf({ advance, to }, clock);
      const advanced = advancing.then(() => advanceClock(platform().environment, clock, milliseconds));
      advancing = advanced.catch(() => {});
      await advanced;
      return time();
    },
    'GET /webhooks': async () => {
      const { database } = platform().environment;
      const endpoints = await listEndpoints(database);
      return { endpoints, deliveries: await listDeliveries(database, { limit: 100 }) };
    },
    'POST /webhooks': async ({ url }) => {
      const problem = typeof url === 'string' ? problemOfWebhookUrl(url) : 'must be a URL';
      if (typeof url !== 'string' || problem) throw invalid('/url', `url ${problem}.`);
      const { database } = platform().environment;
      const id = crypto.randomUUID();
      await registerEndpoint(database, { id, organizationId, url, now: clock.now() });
      return { endpoints: await listEndpoints(database) };
    },
    'GET /mail': async () => ({ messages: await mailsIn(outboxOf(platform())) }),
  };
}

/**
 * Reads the JSON body of a control. Default: an empty object.
 *
 * @throws {Refused} 400 `body_malformed` or `body_invalid`, 413 `body_too_large`
 */
export async function readControlBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  const body = await readJsonBody(request, bodyIdleMilliseconds);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as never;
  throw invalid('', 'The body must be an object.');
}

/** By how many milliseconds to advance the clock: never back, because what has happened stays. */
function advanceOf({ advance, to }: { advance: unknown; to: unknown }, clock: MovableClock): number {
  if (advance !== undefined && to !== undefined) throw invalid('/to', 'Set either advance or to, not both.');
  const length =
    typeof advance === 'string'
      ? durationOf(advance)
      : typeof to === 'string'
        ? Date.parse(to) - clock.now().getTime()
        : undefined;
  if (length !== undefined && length >= 0 && length <= maximumAdvance) return length;
  throw invalid(
    to === undefined ? '/advance' : '/to',
    'Set advance to an ISO 8601 duration such as "PT1H" or "P30D", or to to a later time; at most 366 days.',
  );
}

const invalid = (pointer: string, message: string) =>
  new Refused(refuse(400, 'body_invalid', { message, pointer }));
