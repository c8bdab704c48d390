import { styleText } from 'node:util';
import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import { type MessageOptions, webhookMessage } from './message.ts';

/** The platform's own timeout. */
const timeoutMilliseconds = 20_000;
const maximumShown = 500;

export interface SendOptions extends MessageOptions {
  to: URL;
  json: boolean;
}

/**
 * Sends one message and prints the result.
 *
 * @returns the exit code: 0 if the receiver accepted a valid message or rejected an invalid one
 * @throws {CommandError} if there is no response
 */
export async function sendWebhook(options: SendOptions, contract: Contract): Promise<number> {
  const { to, defect, json } = options;
  const { id, type, kid, headers, body } = webhookMessage(contract, options);
  const startedAt = performance.now();
  const response = await post(to, headers, body);
  const text = await response.text().catch(() => '');
  const milliseconds = Math.round(performance.now() - startedAt);
  const { ok: accepted, status } = response;
  const correct = accepted === (defect === undefined);
  if (json) {
    const request = { id, type, kid, defect: defect ?? null, headers, body: body.toString() };
    console.log(JSON.stringify({ request, response: { status, milliseconds, body: text }, correct }));
  } else {
    const shown = text.replaceAll(/\s+/g, ' ').trim().slice(0, maximumShown);
    console.log(`${type} ${id} to ${to}`);
    console.log(`  signed with ${kid}${defect ? `, ${defect}` : ''}`);
    console.log(`  status ${status} after ${milliseconds} ms${shown && `: ${shown}`}`);
  }
  const verdict = verdictOf(accepted, defect);
  console.error(styleText(correct ? 'green' : 'red', `  ${verdict}`, { stream: process.stderr }));
  return correct ? 0 : 1;
}

async function post(to: URL, headers: Record<string, string>, body: Buffer): Promise<Response> {
  try {
    return await fetch(to, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    const reason =
      name === 'TimeoutError' ? 'no response within 20 seconds' : (cause?.code ?? cause?.message ?? message);
    throw new CommandError(`${to} cannot be reached: ${reason}.`);
  }
}

function verdictOf(accepted: boolean, defect: string | undefined): string {
  if (accepted)
    return defect
      ? `The receiver accepted a message that it must reject: ${defect}.`
      : 'The receiver accepted it.';
  return defect
    ? 'The receiver rejected it, as it must.'
    : 'The receiver did not accept it: the platform would retry.';
}
