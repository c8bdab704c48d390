import { problemOfWebhookUrl } from '../../../server/src/domain/webhook-urls.ts';
import { registerEndpoint } from '../../../server/src/store/webhook-endpoints.ts';
import { listDeliveries, listEndpoints } from '../../../server/src/store/webhook-log.ts';
import { type Control, invalidControl } from '../controls.ts';
import { advanceClock } from './advance-clock.ts';
import { durationOf, type MovableClock } from './clock.ts';
import { mailsIn } from './mailbox.ts';
import { type MockPlatform, outboxOf } from './platform.ts';

export interface ControlOptions {
  clock: MovableClock;
  organizationId: string;
  /** What `GET /__mock` returns besides the time. */
  description(): object;
  platform(): MockPlatform;
  reset(): Promise<void>;
}

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
      if (typeof url !== 'string' || problem) throw invalidControl('/url', `url ${problem}.`);
      const { database } = platform().environment;
      const id = crypto.randomUUID();
      await registerEndpoint(database, { id, organizationId, url, now: clock.now() });
      return { endpoints: await listEndpoints(database) };
    },
    'GET /mail': async () => ({ messages: await mailsIn(outboxOf(platform())) }),
  };
}

/** By how many milliseconds to advance the clock: never back, because what has happened stays. */
function advanceOf({ advance, to }: { advance: unknown; to: unknown }, clock: MovableClock): number {
  if (advance !== undefined && to !== undefined)
    throw invalidControl('/to', 'Set either advance or to, not both.');
  const length =
    typeof advance === 'string'
      ? durationOf(advance)
      : typeof to === 'string'
        ? Date.parse(to) - clock.now().getTime()
        : undefined;
  if (length !== undefined && length >= 0 && length <= maximumAdvance) return length;
  throw invalidControl(
    to === undefined ? '/advance' : '/to',
    'Set advance to an ISO 8601 duration such as "PT1H" or "P30D", or to to a later time; at most 366 days.',
  );
}
