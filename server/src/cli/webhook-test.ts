import { setTimeout as delay } from 'node:timers/promises';
import { readDocument, routesOf } from '../../contract/index.ts';
import type { Database } from '../store/database.ts';
import { type AttemptEntry, listAttempts } from '../store/webhook-log.ts';
import { requestTest } from '../store/webhook-requests.ts';
import { CommandError, endpointDisabled, notFound, parseId } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import type { EnvironmentOptions } from './options.ts';
import { printJson } from './print.ts';

/** An attempt takes at most 20 s. */
const timeoutMilliseconds = 25_000;

interface Payload {
  workspaceId?: string;
  data: object;
}

/** Sends the contract's example of an event to an endpoint and waits for the first attempt. */
export async function sendTestEvent(
  text: string,
  options: EnvironmentOptions & { type: string; wait: boolean },
): Promise<void> {
  const { type, environment } = options;
  const endpointId = parseId('endpoint', text, options);
  const { data, workspaceId } = await eventExample(type);
  const event = { type, data, inWorkspace: workspaceId !== undefined };
  await inEnvironment(options, async (database) => {
    const outcome = await requestTest(database, endpointId, event, new Date());
    switch (outcome.kind) {
      case 'unknown':
        throw notFound('endpoint', endpointId, environment);
      case 'disabled':
        throw endpointDisabled();
      case 'no_workspace':
        throw new CommandError(`${type} is an event of a workspace, but there is none: use another --type.`);
    }
    const { deliveryId, eventId } = outcome;
    const attempt = options.wait ? await firstAttempt(database, deliveryId) : undefined;
    if (options.json) printJson({ deliveryId, eventId, attempt: attempt ?? null });
    else
      console.error(attempt ? describeAttempt(attempt) : 'Queued. It is sent while the platform is running.');
    if (attempt && !isDelivered(attempt))
      throw new CommandError(`The delivery is retried: wrp webhook attempts ${deliveryId}`);
  });
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

async function firstAttempt(database: Database, deliveryId: string): Promise<AttemptEntry | undefined> {
  const deadline = performance.now() + timeoutMilliseconds;
  while (performance.now() < deadline) {
    const [attempt] = (await listAttempts(database, deliveryId)) ?? [];
    if (attempt) return attempt;
    await delay(200);
  }
  return undefined;
}

const isDelivered = ({ status }: AttemptEntry) => status !== null && status >= 200 && status < 300;

const describeAttempt = ({ status, error, milliseconds }: AttemptEntry) =>
  status === null
    ? `No response after ${milliseconds} ms: ${error}.`
    : `Response ${status} after ${milliseconds} ms.`;
