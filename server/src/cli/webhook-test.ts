import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Database } from '../store/database.ts';
import { type AttemptEntry, listAttempts } from '../store/webhook-log.ts';
import { requestTest } from '../store/webhook-requests.ts';
import { CommandError } from './command-error.ts';
import { printJson } from './print.ts';
import { idOf, inEnvironment, noSuch, type WebhookOptions, webhookCommand } from './webhook-options.ts';

/** An attempt takes 20 s at most. */
const patienceMilliseconds = 25_000;

type Options = WebhookOptions & { type: string; wait: boolean };

export function testCommand(): Command {
  return webhookCommand(
    'test',
    "Sends the contract's example of an event to an endpoint, marked with Webhook-Sandbox: true, and waits for the answer.",
    'test 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02 --type workflow.completed',
  )
    .argument('<endpoint>', 'its identifier, as endpoints lists it')
    .option('--type <kind>', 'the kind of event', 'workflow.started')
    .option('--no-wait', 'do not wait for the answer')
    .action((id: string, _options: unknown, command: Command) => run(id, command.optsWithGlobals()));
}

async function run(text: string, options: Options): Promise<void> {
  const endpointId = idOf(text, 'endpoint', options);
  const event = await exampleOf(options.type);
  await inEnvironment(options, async (database) => {
    const outcome = await requestTest(database, endpointId, event, new Date());
    if (outcome.kind !== 'requested') throw refusalOf(outcome.kind, endpointId, options);
    const { deliveryId, eventId } = outcome;
    const attempt = options.wait ? await firstAttempt(database, deliveryId) : undefined;
    if (options.json) printJson({ deliveryId, eventId, attempt: attempt ?? null });
    else console.error(attempt ? told(attempt) : 'Written down: it is sent as soon as the platform runs.');
    if (attempt && !isWell(attempt))
      throw new CommandError(`Attempts go on: wrp webhook attempts ${deliveryId}`);
  });
}

function refusalOf(
  kind: 'unknown' | 'disabled' | 'no_workspace',
  endpointId: string,
  { environment, type }: Options,
): CommandError {
  switch (kind) {
    case 'unknown':
      return noSuch('endpoint', endpointId, environment);
    case 'disabled':
      return new CommandError('The endpoint is disabled: enable it first.');
    case 'no_workspace':
      return new CommandError(`${type} tells of a workspace, and there is none: choose another --type.`);
  }
}

async function firstAttempt(database: Database, deliveryId: string): Promise<AttemptEntry | undefined> {
  const until = performance.now() + patienceMilliseconds;
  while (performance.now() < until) {
    const [attempt] = (await listAttempts(database, deliveryId)) ?? [];
    if (attempt) return attempt;
    await delay(200);
  }
  return undefined;
}

const isWell = ({ status }: AttemptEntry) => status !== null && status >= 200 && status < 300;

const told = ({ status, error, milliseconds }: AttemptEntry) =>
  status === null
    ? `No answer after ${milliseconds} ms: ${error}.`
    : `Answered with ${status} after ${milliseconds} ms.`;

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

/** The data of the contract's example of a kind of event. */
async function exampleOf(type: string): Promise<{ type: string; data: object; inWorkspace: boolean }> {
  const file = new URL('../../../generated/openapi.json', import.meta.url);
  const { webhooks, components }: Contract = JSON.parse(await readFile(file, 'utf8'));
  const webhook = webhooks[type];
  if (!webhook) throw new CommandError(`${type} is no kind of event: ${Object.keys(webhooks).join(', ')}.`);
  const [reference] = Object.values(webhook.post.requestBody.content['application/json'].examples);
  const name = reference?.$ref.split('/').at(-1) ?? '';
  const example = components.examples[name]?.value;
  if (!example) throw new Error(`The contract has no example of ${type}.`);
  return { type, data: example.data, inWorkspace: example.workspaceId !== undefined };
}
