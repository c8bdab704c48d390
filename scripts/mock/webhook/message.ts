import { routesOf } from '../../../server/contract/index.ts';
import { signatureWindowMilliseconds, signWebhook } from '../../../server/src/domain/webhooks.ts';
import { CommandError } from '../../command-line/command.ts';
import type { Contract } from '../../contract/source.ts';
import { unservedKey, webhookKeys } from '../webhook-keys.ts';

/** A defect for which a receiver must reject a message. */
export type Defect = 'tampered' | 'expired' | 'unknown-key';

export interface WebhookMessage {
  id: string;
  type: string;
  kid: string;
  headers: Record<string, string>;
  /** The exact bytes. */
  body: Buffer;
}

export interface MessageOptions {
  type: string;
  defect?: Defect | undefined;
  /** Whether to sign with the successor of the usual key. Default: false. */
  rotatedKey?: boolean;
  /** Default: a new one. */
  id?: string | undefined;
  sandbox?: boolean;
}

/** The event types that the contract declares. */
export function eventTypes(contract: Contract): string[] {
  return Object.keys(contract.webhooks ?? {});
}

/**
 * The contract's example of an event, as if it happened just now, signed by the platform's own code.
 *
 * @throws {CommandError} for an event type that the contract does not declare
 */
export function webhookMessage(
  contract: Contract,
  options: MessageOptions,
  now = new Date(),
): WebhookMessage {
  const { type, defect, rotatedKey = false, id = crypto.randomUUID(), sandbox = false } = options;
  const key = defect === 'unknown-key' ? unservedKey : rotatedKey ? webhookKeys.rotated : webhookKeys.current;
  const event = { ...exampleOf(contract, type), id, createdDateTime: now.toISOString() };
  const body = Buffer.from(JSON.stringify(event));
  // Outside of the window by its own width.
  const signedAt = defect === 'expired' ? new Date(now.getTime() - 2 * signatureWindowMilliseconds) : now;
  const signature = signWebhook(body, key, signedAt);
  return {
    id,
    type,
    kid: key.kid,
    headers: {
      'Content-Type': 'application/json',
      'Webhook-Signature': signature,
      ...(sandbox && { 'Webhook-Sandbox': 'true' }),
    },
    body: defect === 'tampered' ? tampered(event) : body,
  };
}

/** Still a valid event: only the signature reveals it. */
function tampered(event: object): Buffer {
  return Buffer.from(JSON.stringify({ ...event, organizationId: '00000000-0000-4000-8000-000000000000' }));
}

function exampleOf(contract: Contract, type: string): Record<string, unknown> {
  const route = routesOf(contract, 'webhooks').find(({ path }) => path === type);
  if (!route) throw new CommandError(`there is no event type ${type}. See --list.`);
  const [example] = Object.values(route.operation.requestBody?.content['application/json']?.examples ?? {});
  if (!example?.value) throw new Error(`the contract has no example of ${type}.`);
  return example.value as Record<string, unknown>;
}
