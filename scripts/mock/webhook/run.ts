import { styleText } from 'node:util';
import { CommandError } from '../../command-line/run-command.ts';
import type { Contract } from '../../contract/source.ts';
import type { WebhookOptions } from './command-line.ts';
import { eventTypes, webhookMessage } from './message.ts';

/** As long as the platform waits for an answer. */
const timeoutMilliseconds = 20_000;
const longestBody = 500;

/** The kinds of event, one a line or as JSON. */
export function listText({ json }: { json: boolean }, contract: Contract): string {
  const types = eventTypes(contract);
  return json ? `${JSON.stringify(types)}\n` : `${types.join('\n')}\n`;
}

/**
 * Sends one message and prints what came of it.
 *
 * @returns the exit code: 0 where the receiver did as it should with this message
 * @throws an error with one line where nobody answers
 */
export async function runWebhook(
  options: Extract<WebhookOptions, { kind: 'send' }>,
  contract: Contract,
): Promise<number> {
  const { to, fault, json } = options;
  const { id, type, kid, headers, body } = webhookMessage(contract, options);
  const startedAt = performance.now();
  const answer = await send(to, headers, body);
  const text = await answer.text().catch(() => '');
  const milliseconds = Math.round(performance.now() - startedAt);
  const taken = answer.status >= 200 && answer.status < 300;
  const right = taken === (fault === undefined);
  if (json) {
    const sent = { id, type, kid, fault: fault ?? null, headers, body: body.toString() };
    console.log(JSON.stringify({ sent, answer: { status: answer.status, milliseconds, body: text }, right }));
  } else {
    console.log(`${type} ${id} to ${to}`);
    console.log(`  signed with ${kid}${fault ? `, ${fault}` : ''}`);
    console.log(`  answered with ${answer.status} after ${milliseconds} ms${shown(text)}`);
  }
  const verdict = verdictOf(taken, fault);
  console.error(styleText(right ? 'green' : 'red', `  ${verdict}`, { stream: process.stderr }));
  return right ? 0 : 1;
}

async function send(to: URL, headers: Record<string, string>, body: Buffer): Promise<Response> {
  try {
    return await fetch(to, {
      ...{ method: 'POST', headers, body: new Uint8Array(body), redirect: 'manual' },
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const reason = name === 'TimeoutError' ? 'no answer within 20 seconds' : (cause?.code ?? cause?.message);
    throw new CommandError(`${to} cannot be reached: ${reason ?? (error as Error).message}.`);
  }
}

function verdictOf(taken: boolean, fault: string | undefined): string {
  if (taken)
    return fault ? `The receiver took a message that it must refuse: ${fault}.` : 'The receiver took it.';
  return fault
    ? 'The receiver refused it, as it must.'
    : 'The receiver did not take it: the platform would send it again.';
}

const shown = (text: string) =>
  text.trim() === '' ? '' : `: ${text.replaceAll(/\s+/g, ' ').slice(0, longestBody)}`;
