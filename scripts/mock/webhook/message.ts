import { routesOf } from '../../../server/src/contract/routes.ts';
import { signatureWindowMilliseconds, signWebhook } from '../../../server/src/domain/webhook-signatures.ts';
import { CommandError } from '../../command-line/run-command.ts';
import type { Contract } from '../../contract/source.ts';
import { unservedKey, webhookKeys } from '../webhook-keys.ts';

/** What can be wrong with a message, so that a receiver must refuse it. */
export type Fault = 'tampered' | 'expired' | 'unknown-key';

export interface WebhookMessage {
  id: string;
  type: string;
  kid: string;
  headers: Record<string, string>;
  /** The exact bytes. */
  body: Buffer;
}

export interface MessageWish {
  type: string;
  fault?: Fault | undefined;
  /** Signed with the key that came after the usual one. */
  rotatedKey?: boolean;
  /** A new one unless told. */
  id?: string | undefined;
  sandbox?: boolean;
}

/** The kinds of event that the contract declares. */
export function eventTypes(contract: Contract): string[] {
  return Object.keys(contract.webhooks ?? {});
}

/**
 * The contract's example of an event, as it happened just now, signed by the platform's own code.
 *
 * @throws CommandError for a kind of event that the contract does not have
 */
export function webhookMessage(contract: Contract, wish: MessageWish, now = new Date()): WebhookMessage {
  const { type, fault, rotatedKey = false, id = crypto.randomUUID(), sandbox = false } = wish;
  const key = fault === 'unknown-key' ? unservedKey : rotatedKey ? webhookKeys.rotated : webhookKeys.current;
  const event = { ...exampleOf(contract, type), id, createdDateTime: now.toISOString() };
  const body = Buffer.from(JSON.stringify(event));
  // As far outside of the window as the window is wide.
  const signedAt = fault === 'expired' ? new Date(now.getTime() - 2 * signatureWindowMilliseconds) : now;
  const signature = signWebhook(body, key, signedAt);
  return {
    ...{ id, type, kid: key.kid },
    headers: {
      'Content-Type': 'application/json',
      'Webhook-Signature': signature,
      ...(sandbox && { 'Webhook-Sandbox': 'true' }),
    },
    body: fault === 'tampered' ? tampered(event) : body,
  };
}

/** Still a well-formed event: only the signature can tell. */
function tampered(event: object): Buffer {
  return Buffer.from(JSON.stringify({ ...event, organizationId: '00000000-0000-4000-8000-000000000000' }));
}

function exampleOf(contract: Contract, type: string): Record<string, unknown> {
  const route = routesOf(contract, 'webhooks').find(({ path }) => path === type);
  if (!route) throw new CommandError(`there is no event ${type}. See --list.`);
  const [example] = Object.values(route.operation.requestBody?.content['application/json']?.examples ?? {});
  if (!example?.value) throw new Error(`the contract has no example of ${type}.`);
  return example.value as Record<string, unknown>;
}
