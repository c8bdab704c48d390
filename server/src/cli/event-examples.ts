import { readDocument } from '../contract/document.ts';
import { routesOf } from '../contract/routes.ts';
import { CommandError } from './command-error.ts';

interface Payload {
  workspaceId?: string;
  data: object;
}

/**
 * The contract's first example of an event type.
 *
 * @throws CommandError for an event type that the contract does not declare
 */
export async function eventExample(type: string): Promise<Payload> {
  const document = await readDocument(new URL('../../../generated/openapi.json', import.meta.url));
  const webhooks = routesOf(document, 'webhooks');
  const webhook = webhooks.find(({ path }) => path === type);
  if (!webhook) {
    const known = webhooks.map(({ path }) => path).join(', ');
    throw new CommandError(`${type} is not an event type of the contract: ${known}.`);
  }
  const { examples = {} } = webhook.operation.requestBody?.content['application/json'] ?? {};
  const [example] = Object.values(examples);
  if (!example) throw new Error(`The contract has no example of ${type}.`);
  return example.value as Payload;
}
