import { isIP } from 'node:net';
import { timestampOf } from '../../../server/json/index.ts';
import { isPublicAddress, systemResolve } from '../../../server/outbound/index.ts';
import { problemOfWebhookUrl } from '../../../server/src/domain/webhooks.ts';
import { registerEndpoint } from '../../../server/src/store/webhook-endpoints.ts';
import { listDeliveries, listEndpoints } from '../../../server/src/store/webhook-log.ts';
import { type Control, commonControls, invalidControl } from '../controls.ts';
import type { Faults } from '../faults.ts';
import { advanceClock } from './advance-clock.ts';
import { durationOf, type MovableClock } from './clock.ts';
import { mailsIn } from './mailbox.ts';
import { type MockPlatform, outboxOf } from './platform.ts';

export interface ControlOptions {
  clock: MovableClock;
  faults: Faults;
  organizationId: string;
  /** Whether webhooks may go to an address that is not public. */
  allowsTarget(origin: string): boolean;
  /** What `GET /__mock` returns besides the time. */
  description(): object;
  platform(): MockPlatform;
  reset(): Promise<void>;
}

const maximumAdvance = 366 * 86_400_000;

/** The controls of a running mock, by `METHOD /path`. */
export function mockControls(options: ControlOptions): Record<string, Control> {
  const { clock, faults, organizationId, platform } = options;
  const time = () => ({ now: clock.now().toISOString(), aheadSeconds: Math.round(clock.ahead() / 1000) });
  const description = () => ({ ...options.description(), clock: time() });
  let advancing: Promise<unknown> = Promise.resolve();

  return {
    ...commonControls(faults, description),
    'POST /reset': {
      effect: 'restores the initial state and clock',
      async run() {
        await advancing;
        await options.reset();
        return description();
      },
    },
    'GET /clock': { effect: "returns the mock's time", run: async () => time() },
    'POST /clock': {
      effect: 'advances the clock: {"advance": "PT1H"}',
      async run({ advance, to }) {
        const milliseconds = advanceOf({ advance, to }, clock);
        const advanced = advancing.then(() => advanceClock(platform().environment, clock, milliseconds));
        advancing = advanced.catch(() => {});
        await advanced;
        return time();
      },
    },
    'GET /webhooks': {
      effect: 'returns the endpoints and the last deliveries',
      async run() {
        const { database } = platform().environment;
        const endpoints = await listEndpoints(database);
        const { content: deliveries } = await listDeliveries(database, {}, { size: 100 });
        return { endpoints, deliveries };
      },
    },
    'POST /webhooks': {
      effect: 'sends every event to an endpoint: {"url": "http://localhost:3000/events"}',
      async run({ url }) {
        const problem = typeof url === 'string' ? problemOfWebhookUrl(url) : 'must be a URL';
        if (typeof url !== 'string' || problem) throw invalidControl('/url', `url ${problem}.`);
        await requireTarget(new URL(url), options);
        const { database } = platform().environment;
        const id = crypto.randomUUID();
        await registerEndpoint(database, { id, organizationId, url, now: clock.now() });
        return { endpoints: await listEndpoints(database) };
      },
    },
    'GET /mail': {
      effect: 'returns sent emails, with their links',
      run: async () => ({ messages: await mailsIn(outboxOf(platform())) }),
    },
  };
}

/** Refuses a URL that no webhook would be sent to, at once. */
async function requireTarget({ origin, hostname }: URL, { allowsTarget }: ControlOptions): Promise<void> {
  if (allowsTarget(origin)) return;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = isIP(host) === 0 ? await systemResolve()(host).catch(() => []) : [host];
  if (addresses.every(isPublicAddress)) return;
  const message = `The address is not public. Start the mock with --allow-target ${origin} to allow it.`;
  throw invalidControl('/url', message);
}

/** By how many milliseconds to advance the clock: never back, because what has happened stays. */
function advanceOf({ advance, to }: { advance: unknown; to: unknown }, clock: MovableClock): number {
  if (advance !== undefined && to !== undefined)
    throw invalidControl('/to', 'Set either advance or to, not both.');
  const length =
    typeof advance === 'string'
      ? durationOf(advance)
      : typeof to === 'string'
        ? (timestampOf(to)?.getTime() ?? Number.NaN) - clock.now().getTime()
        : undefined;
  if (length !== undefined && length >= 0 && length <= maximumAdvance) return length;
  throw invalidControl(
    to === undefined ? '/advance' : '/to',
    'Set `advance` to an ISO 8601 duration such as "PT1H" or "P30D", or `to` to a later time; at most 366 days.',
  );
}
