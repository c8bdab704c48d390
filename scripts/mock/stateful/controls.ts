import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemOfWebhookUrl } from '../../../server/src/domain/webhook-urls.ts';
import { registerEndpoint } from '../../../server/src/store/webhook-endpoints.ts';
import { listDeliveries, listEndpoints } from '../../../server/src/store/webhook-log.ts';
import type { Refuse } from '../failure.ts';
import { durationOf, type MovableClock } from './clock.ts';
import { mailsIn } from './mailbox.ts';
import { letTimePass } from './passing-time.ts';
import { type MockPlatform, outboxOf } from './platform.ts';

/** Where the mock is told what to do, beside the contract's paths. */
export const controlPath = '/__mock';

export interface ControlOptions {
  clock: MovableClock;
  organizationId: string;
  /** What `GET /__mock` says besides the time. */
  description(): object;
  platform(): MockPlatform;
  reset(): Promise<void>;
}

type Control = (body: Record<string, unknown>, refuse: Refuse) => Promise<object>;

const largestBody = 65_536;
const longestAdvance = 366 * 86_400_000;

/** What can be asked of a running mock: `METHOD /path` to what it does and answers. */
export function mockControls(options: ControlOptions): Record<string, Control> {
  const { clock, organizationId, description, platform } = options;
  const time = () => ({ now: clock.now().toISOString(), aheadSeconds: Math.round(clock.ahead() / 1000) });
  let moving: Promise<unknown> = Promise.resolve();

  return {
    'GET ': async () => ({ ...description(), clock: time() }),
    'POST /reset': async () => {
      await moving;
      await options.reset();
      return { ...description(), clock: time() };
    },
    'GET /clock': async () => time(),
    'POST /clock': async ({ advance, to }, refuse) => {
      const milliseconds = lengthOf({ advance, to }, clock, refuse);
      const move = moving.then(() => letTimePass(platform().environment, clock, milliseconds));
      moving = move.catch(() => {});
      await move;
      return time();
    },
    'GET /webhooks': async () => {
      const { database } = platform().environment;
      const endpoints = await listEndpoints(database);
      return { endpoints, deliveries: await listDeliveries(database, { limit: 100 }) };
    },
    'POST /webhooks': async ({ url }, refuse) => {
      const problem = typeof url === 'string' ? problemOfWebhookUrl(url) : 'must be an address';
      if (typeof url !== 'string' || problem) throw bodyInvalid(refuse, '/url', `url ${problem}.`);
      const { database } = platform().environment;
      const id = crypto.randomUUID();
      await registerEndpoint(database, { id, organizationId, url, now: clock.now() });
      return { endpoints: await listEndpoints(database) };
    },
    'GET /mail': async () => ({ messages: await mailsIn(outboxOf(platform())) }),
  };
}

/**
 * Reads the small JSON body of a control; none is an empty one.
 *
 * @throws {Refusal} 400 `body_malformed` or `body_invalid`, 413 `body_too_large`
 */
export async function readControlBody(
  request: IncomingMessage,
  refuse: Refuse,
): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw refuse(413, 'body_too_large', { headers: { Connection: 'close' } });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString().trim();
  if (text === '') return {};
  const body = parsed(text, refuse);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as never;
  throw bodyInvalid(refuse, '', 'The body must be an object.');
}

export function writeJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body, null, 2);
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(`${text}\n`);
}

function parsed(text: string, refuse: Refuse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, 'body_malformed');
  }
}

/** How far the clock is to go; never back, as what has happened has happened. */
function lengthOf(
  { advance, to }: { advance: unknown; to: unknown },
  clock: MovableClock,
  refuse: Refuse,
): number {
  if (advance !== undefined && to !== undefined)
    throw bodyInvalid(refuse, '/to', 'Say either advance or to, not both.');
  const length =
    typeof advance === 'string'
      ? durationOf(advance)
      : typeof to === 'string'
        ? Date.parse(to) - clock.now().getTime()
        : undefined;
  if (length !== undefined && length >= 0 && length <= longestAdvance) return length;
  throw bodyInvalid(
    refuse,
    to === undefined ? '/advance' : '/to',
    'Say advance, an ISO 8601 duration such as "PT1H" or "P30D", or to, a later time; at most 366 days at once.',
  );
}

function bodyInvalid(refuse: Refuse, pointer: string, message: string) {
  return refuse(400, 'body_invalid', { message, pointer });
}
