import { readFile } from 'node:fs/promises';
import { CommandError } from './command-error.ts';

interface Payload {
  workspaceId?: string;
  data: object;
}
interface Contract {
  webhooks: Record<
    string,
    {
      post: {
        requestBody: { content: { 'application/json': { examples: Record<string, { $ref: string }> } } };
      };
    }
  >;
  components: { examples: Record<string, { value: Payload }> };
}

/**
 * The contract's example of a kind of event.
 *
 * @throws CommandError for a kind that the contract does not know
 */
export async function exampleOf(type: string): Promise<Payload> {
  const file = new URL('../../../generated/openapi.json', import.meta.url);
  const { webhooks, components }: Contract = JSON.parse(await readFile(file, 'utf8'));
  const webhook = webhooks[type];
  if (!webhook) throw new CommandError(`${type} is no kind of event: ${Object.keys(webhooks).join(', ')}.`);
  const [reference] = Object.values(webhook.post.requestBody.content['application/json'].examples);
  const name = reference?.$ref.split('/').at(-1) ?? '';
  const example = components.examples[name]?.value;
  if (!example) throw new Error(`The contract has no example of ${type}.`);
  return example;
}
