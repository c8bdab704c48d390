import type { IncomingMessage } from 'node:http';
import { Refused } from '../../contract/index.ts';
import { assertNotEncoded, receiveBytes, requestMediaType } from '../../http-bodies/index.ts';

/** A response that ends a request early. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Characters of a URL, bytes of a form. Those of the console's own pages are far smaller. */
const limits = { url: 2_000, form: 16_384 };
const formIdleMilliseconds = 10_000;

/**
 * A page of another server on this machine has an origin that `guardedServer` admits, and its requests have the cookie,
 * because ports do not count for a site. The console serves none of them, except links that open it.
 */
export function assertOwnRequest({ method, headers }: IncomingMessage): void {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    throw new Refusal(405, 'Only GET and POST are possible.', { Allow: 'GET, HEAD, POST' });
  const {
    origin,
    host,
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': destination,
  } = headers;
  const isForeign =
    (origin !== undefined && origin !== `http://${host}`) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none');
  const isLink =
    method === 'GET' && origin === undefined && mode === 'navigate' && destination === 'document';
  if (isForeign && !isLink) throw new Refusal(403, 'Only pages of this console may do that.');
  // Every browser sends it with a form.
  if (method === 'POST' && origin === undefined)
    throw new Refusal(403, 'Only pages of this console may do that.');
}

/** The origin of no page: only path and query count. */
const base = 'http://console';

export function urlOf({ url = '/' }: IncomingMessage): URL {
  if (url.length > limits.url) throw new Refusal(414, 'The address is too long.');
  const found = URL.parse(url, base);
  if (found?.origin !== base) throw new Refusal(404, 'There is no such page.');
  // PostgreSQL cannot compare it with anything.
  if (found.search.includes('%00')) throw new Refusal(400, 'The address contains a NUL character.');
  return found;
}

/** @throws Refusal if it is not a small form */
export async function receiveForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = requestMediaType(request.headers['content-type'])?.value;
  if (type !== 'application/x-www-form-urlencoded')
    throw new Refusal(415, 'Only forms of this console are accepted.');
  try {
    assertNotEncoded(request.headers);
    return new URLSearchParams((await receiveBytes(request, formIdleMilliseconds, limits.form)).toString());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refusal(error.refusal.status, 'The form is too large, or did not arrive in time.');
  }
}
