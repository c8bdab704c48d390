import { largestResponse } from '../../server/src/mcp/results.ts';
import { longestStretch } from '../support/main-thread.ts';
import { type Received, send } from '../support/raw-requests.ts';
import type { Message } from './hostile-messages.ts';

/** What an engine or a validator writes into its errors, and what a value becomes that is no text. */
const internals =
  /is not (?:a function|iterable|defined)|undefined|TypeError|RangeError|SyntaxError|Cannot |Unexpected token|primitive|Invalid input|\[object|node_modules|\.ts:|\\n {2}/;
/** Maximum length of the error of a protocol or a tool: what a model reads at a glance. */
const longestMessage = 1000;

interface RpcResponse {
  jsonrpc?: unknown;
  id?: unknown;
  result?: { isError?: boolean; content?: { type: string; text: string }[] };
  error?: { code?: unknown; message?: unknown };
}

export function post(
  baseUrl: string,
  { body, headers }: { body: string | Buffer; headers: Record<string, string> },
): Promise<Received> {
  return send(baseUrl, {
    method: 'POST',
    target: '/mcp',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

/**
 * Sends messages one after the other.
 *
 * @param longest how long one of them may occupy the event loop, in milliseconds of CPU time. Default: any time
 * @returns the number of messages, and what is wrong with the responses: they are errors of JSON-RPC or of a tool, or
 *   results, short, and in words of the platform
 */
export async function attack(
  baseUrl: string,
  token: string,
  messages: Iterable<Message>,
  longest = Number.POSITIVE_INFINITY,
): Promise<{ sent: number; wrong: string[] }> {
  const wrong: string[] = [];
  let sent = 0;
  for (const { what, body, headers } of messages) {
    sent++;
    // Making the bytes is not measured.
    const message = { body: Buffer.from(body), headers: { Authorization: token, ...headers } };
    const attempt = async () => {
      let received: Received | undefined;
      const stretch = await longestStretch(async () => {
        received = await post(baseUrl, message);
      });
      return { received: received as unknown as Received, stretch };
    };
    let { received, stretch } = await attempt();
    // What is too slow is so each time; a garbage collection is not.
    for (let again = 0; again < 2 && stretch >= longest; again++) ({ received, stretch } = await attempt());
    if (stretch >= longest) wrong.push(`${what}: occupies the event loop for ${Math.round(stretch)} ms`);
    const reason = problemOf(received);
    if (reason !== undefined)
      wrong.push(`${what}: ${reason}: ${received.status} ${received.text.slice(0, 300)}`);
  }
  return { sent, wrong };
}

/** What is wrong with a response; undefined if nothing is. */
export function problemOf({ status, headers, text }: Received): string | undefined {
  if (Buffer.byteLength(text) > largestResponse) return 'is larger than 64 KiB';
  if (status === 413)
    return JSON.parse(text).errors[0].code === 'body_too_large' ? undefined : 'no error object';
  if (status >= 500) return 'is an internal error';
  // A notification has no response.
  if (status === 202) return text === '' ? undefined : 'has a body';
  const isStream = headers['content-type']?.startsWith('text/event-stream');
  const json = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].map(([, data]) => data).join() : text;
  const { jsonrpc, id, result, error } = JSON.parse(json) as RpcResponse;
  if (jsonrpc !== '2.0' || !['string', 'number', 'object'].includes(typeof id)) return 'is not JSON-RPC';
  if ((result === undefined) === (error === undefined)) return 'has a result and an error, or neither';
  if (error) {
    if (!Number.isInteger(error.code) || typeof error.message !== 'string') return 'is no error of JSON-RPC';
    if (error.message.length > longestMessage) return 'has a long message';
    return internals.test(json) ? 'names internals' : undefined;
  }
  if (!result?.isError) return undefined;
  const words = result.content?.map((each) => each.text).join('\n') ?? '';
  if (words === '') return 'does not say why';
  return internals.test(words) ? 'names internals' : undefined;
}
