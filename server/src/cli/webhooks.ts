import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { readDocument, routesOf } from '../../contract/index.ts';
import type { Database } from '../store/database.ts';
import type { DeliveryStatus } from '../store/schema.ts';
import { disableEndpoint, enableEndpoint } from '../store/webhook-endpoints.ts';
import { retireKeys } from '../store/webhook-keys.ts';
import {
  type AttemptEntry,
  type EndpointEntry,
  listAttempts,
  listDeliveries,
  listEndpoints,
  requestRedelivery,
  requestTest,
} from '../store/webhook-log.ts';
import { CommandError, endpointDisabled, notFound, parseId, UsageError } from './command-error.ts';
import { changeEnvironment, inEnvironment } from './connect.ts';
import {
  type AddCommand,
  action,
  commandGroup,
  type EnvironmentOptions,
  exclusiveOption,
  type GlobalOptions,
  optionsOf,
  parseLimit,
} from './options.ts';
import { formatMinute, printable, printJson, printList } from './print.ts';

type DeliveryOptions = EnvironmentOptions & {
  endpoint?: string;
  status?: DeliveryStatus;
  type?: string;
  limit: number;
};
type RedeliverOptions = EnvironmentOptions & { endpoint?: string };

const statuses: DeliveryStatus[] = ['requested', 'pending', 'delivered', 'failed', 'cancelled'];
const exampleId = '5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02';

/** `wrp webhook`. */
export function addWebhookCommands(program: Command): void {
  const description = 'Webhooks: deliveries, keys, and the endpoints that platform files declare.';
  const add = commandGroup(program, 'webhook', description);
  const addForEndpoint: AddCommand = (...parameters) =>
    add(...parameters).argument('<endpoint>', 'its id, as listed by endpoints');

  add('endpoints --environment sandbox', 'Lists the endpoints with their event types and state.').action(
    action(runEndpoints),
  );
  add(`deliveries --status failed --endpoint ${exampleId}`, 'Lists deliveries, newest first.')
    .option('--endpoint <id>', 'only to this endpoint')
    .addOption(
      new Option('--status <status>', 'only those with this status; requested: waits to be queued').choices(
        statuses,
      ),
    )
    .option('--type <type>', 'only of this event type, such as user.updated')
    .option('--limit <n>', 'the maximum number of deliveries', parseLimit, 50)
    .action(action(runDeliveries));
  add('attempts 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11', 'Lists the attempts of a delivery in order.')
    .argument('<delivery>', 'its id, as listed by deliveries')
    .action(action(runAttempts));
  add(
    `redeliver --endpoint ${exampleId}`,
    'Sends deliveries again with the same event id: those named, or all undelivered ones of an endpoint.',
  )
    .argument('[deliveries...]', 'their ids, as listed by deliveries')
    .option('--endpoint <id>', 'all undelivered ones of this endpoint')
    .action((ids: string[], _options: unknown, command: Command) => {
      const options = optionsOf<RedeliverOptions>(command);
      if ((ids.length === 0) === (options.endpoint === undefined)) {
        command.error('error: name deliveries, or an endpoint with --endpoint');
      }
      return runRedeliver(ids, options);
    });
  addForEndpoint(
    `test ${exampleId} --type workflow.completed`,
    "Sends the contract's example of an event, marked with Webhook-Sandbox: true, and waits for the response.",
  )
    .option('--type <type>', 'the event type', 'workflow.started')
    .option('--no-wait', 'do not wait for the response')
    .action(action(sendTestEvent));
  addForEndpoint(`enable ${exampleId}`, 'Enables an endpoint for future events.').action(action(runEnable));
  addForEndpoint(`disable ${exampleId}`, 'Disables an endpoint and cancels its open deliveries.').action(
    action(runDisable),
  );
  add(
    'listen --to http://localhost:3000/hooks',
    "Forwards the sandbox's events to a receiver on this machine until Ctrl-C. Needs WRP_TOKEN: an organization token of an owner or admin of the sandbox; that of the demo is sandbox.organizationToken in the demo file.",
    null,
  )
    .requiredOption(
      '--to <url>',
      "the receiver's URL; /docs/receiving-webhooks of the platform has examples of receivers",
    )
    .addOption(
      new Option('--url <url>', "the sandbox's URL").env('WRP_BASE_URL').default('http://127.0.0.1:8081'),
    )
    .option('--since <duration>', 'start with the events of this long ago: 90s, 10m, 24h (default: now)')
    .addOption(exclusiveOption('--resend <event>', 'send the event with this id again, then end', 'since'))
    .action(action(runListen));
  add(
    'rotate-keys',
    'Creates a new signing key. The old public key is served until its last signature has expired.',
  ).action(action(runRotate));
}

async function runEndpoints(options: EnvironmentOptions): Promise<void> {
  printList(await inEnvironment(options, listEndpoints), {
    json: options.json,
    empty: `There are no endpoints in ${options.environment}.`,
    columns: {
      ID: ({ id }) => id,
      ORGANIZATION: ({ organization }) => organization.name,
      URL: ({ url }) => url,
      EVENTS: ({ events }) => (events === 'all' ? 'all' : events.join(' ')),
      STATE: stateOf,
      OPEN: ({ open }) => open,
    },
  });
}

function stateOf({ disabledDateTime, disabledBy, failingSince }: EndpointEntry): string {
  if (disabledDateTime) {
    return `${disabledBy === 'receiver' ? 'responded 410' : 'disabled'} ${formatMinute(disabledDateTime)}`;
  }
  return failingSince ? `failing since ${formatMinute(failingSince)}` : 'ok';
}

async function runDeliveries(options: DeliveryOptions): Promise<void> {
  const { endpoint, status, type, limit } = options;
  const endpointId = endpoint === undefined ? undefined : parseId('endpoint', endpoint, options);
  const entries = await inEnvironment(options, async (database) => {
    if (endpointId) await findEndpoint(database, endpointId, options);
    const { content: listed } = await listDeliveries(database, { endpointId, status, type }, { size: limit });
    // Events of a type that only an earlier contract declared are still listed.
    if (listed.length === 0 && type !== undefined) await eventExample(type);
    return listed;
  });
  printList(entries, {
    json: options.json,
    empty: `There are no matching deliveries in ${options.environment}.`,
    columns: {
      ID: ({ id }) => id,
      EVENT: ({ event }) => (event.test ? `${event.type} (test)` : event.type),
      OCCURRED: ({ event }) => formatMinute(event.createdDateTime),
      STATUS: (delivery) => delivery.status,
      ATTEMPTS: ({ attempts }) => attempts,
      LAST: ({ lastOutcome }) => lastOutcome ?? '-',
      NEXT: ({ nextAttemptAt }) => (nextAttemptAt ? formatMinute(nextAttemptAt) : '-'),
    },
  });
}

async function runAttempts(text: string, options: EnvironmentOptions): Promise<void> {
  const id = parseId('delivery', text, options);
  const entries = await inEnvironment(options, (database) => listAttempts(database, id));
  if (!entries) throw notFound('delivery', id, options);
  printList(entries, {
    json: options.json,
    empty: 'There was no attempt yet.',
    columns: {
      NUMBER: ({ number }) => number,
      AT: ({ at }) => at,
      MILLISECONDS: ({ milliseconds }) => milliseconds,
      STATUS: ({ status }) => (status === null ? '-' : String(status)),
      ERROR: ({ error }) => error ?? '-',
    },
  });
}

async function runRedeliver(texts: string[], options: RedeliverOptions): Promise<void> {
  const selection =
    options.endpoint === undefined
      ? { deliveryIds: texts.map((text) => parseId('delivery', text, options)) }
      : { endpointId: parseId('endpoint', options.endpoint, options) };
  const ids = await changeEnvironment(options, async (database, now) => {
    if ('endpointId' in selection) {
      const { disabledDateTime } = await findEndpoint(database, selection.endpointId, options);
      if (disabledDateTime !== null) throw endpointDisabled();
    }
    return requestRedelivery(database, selection, now);
  });
  const skipped = 'deliveryIds' in selection ? selection.deliveryIds.filter((id) => !ids.includes(id)) : [];
  if (skipped.length > 0 && ids.length === 0) {
    throw new CommandError(`There is no such delivery to an enabled endpoint in ${options.environment}.`);
  }
  if (options.json) return printJson({ deliveryIds: ids });
  console.error(`${ids.length} queued for redelivery. The platform sends them while it is running.`);
  for (const id of skipped) console.error(`${id}: unknown, or its endpoint is disabled.`);
}

async function runEnable(text: string, options: EnvironmentOptions): Promise<void> {
  const id = parseId('endpoint', text, options);
  const outcome = await changeEnvironment(options, (database) => enableEndpoint(database, id));
  if (outcome === 'unknown') throw notFound('endpoint', id, options);
  if (options.json) return printJson({ outcome });
  if (outcome !== 'enabled') return console.error('The endpoint was already enabled.');
  console.error(
    `The endpoint is enabled.\nTo send the cancelled deliveries: wrp webhook redeliver --endpoint ${id}`,
  );
}

async function runDisable(text: string, options: EnvironmentOptions): Promise<void> {
  const id = parseId('endpoint', text, options);
  const outcome = await changeEnvironment(options, (transaction, now) =>
    disableEndpoint(transaction, id, 'operator', now),
  );
  if (outcome === 'unknown') throw notFound('endpoint', id, options);
  if (options.json) return printJson({ outcome });
  console.error(`The endpoint ${outcome === 'disabled' ? 'is' : 'was already'} disabled.`);
}

async function runRotate(options: EnvironmentOptions): Promise<void> {
  const retired = await changeEnvironment(options, retireKeys);
  if (options.json) return printJson({ retired });
  for (const { id, servedUntil } of retired) console.error(`${id}: retired, served until ${servedUntil}.`);
  console.error('The next webhook is signed with a new key.');
}

async function findEndpoint(
  database: Database,
  id: string,
  options: EnvironmentOptions,
): Promise<EndpointEntry> {
  const endpoint = (await listEndpoints(database)).find((entry) => entry.id === id);
  if (!endpoint) throw notFound('endpoint', id, options);
  return endpoint;
}

export interface ListenOptions extends Pick<GlobalOptions, 'json'> {
  to: string;
  url: string;
  since?: string;
  resend?: string;
}

/**
 * Forwards the events of the sandbox to a receiver on this machine, over HTTP like `npx wrp-listen`, whose program this
 * is. The client is loaded only here: the platform itself does not need it.
 */
async function runListen({ url: baseUrl, ...options }: ListenOptions): Promise<void> {
  const { ListenError, listen } = await import('../../../client/src/node/listen/listen.ts');
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  const { stdin, stdout, stderr } = process;
  const running = listen({ ...options, baseUrl }, { stdin, stdout, stderr, signal: stop.signal });
  await running.catch((error: Error) => {
    throw error instanceof ListenError ? new CommandError(error.message) : error;
  });
}

/** An attempt takes at most 20 s. */
const timeoutMilliseconds = 25_000;

interface Payload {
  workspaceId?: string;
  data: object;
}

/** Sends the contract's example of an event to an endpoint and waits for the first attempt. */
async function sendTestEvent(
  text: string,
  options: EnvironmentOptions & { type: string; wait: boolean },
): Promise<void> {
  const { type } = options;
  const endpointId = parseId('endpoint', text, options);
  const { data, workspaceId } = await eventExample(type);
  const event = { type, data, inWorkspace: workspaceId !== undefined };
  const outcome = await changeEnvironment(options, (database, now) =>
    requestTest(database, endpointId, event, now),
  );
  switch (outcome.kind) {
    case 'unknown':
      throw notFound('endpoint', endpointId, options);
    case 'disabled':
      throw endpointDisabled();
    case 'no_workspace':
      throw new CommandError(`${type} is an event of a workspace, but there is none: use another --type.`);
  }
  const { deliveryId, eventId } = outcome;
  const attempt = options.wait
    ? await inEnvironment(options, (database) => firstAttempt(database, deliveryId))
    : undefined;
  if (options.json) printJson({ deliveryId, eventId, attempt: attempt ?? null });
  else
    console.error(
      attempt ? printable(describeAttempt(attempt)) : 'Queued. It is sent while the platform is running.',
    );
  if (attempt && !isDelivered(attempt))
    throw new CommandError(`The delivery is retried: wrp webhook attempts ${deliveryId}`);
}

/**
 * The contract's first example of an event type.
 *
 * @throws UsageError for an event type that the contract does not declare
 */
async function eventExample(type: string): Promise<Payload> {
  const document = await readDocument(new URL('../../../generated/openapi.json', import.meta.url));
  const webhooks = routesOf(document, 'webhooks');
  const webhook = webhooks.find(({ path }) => path === type);
  if (!webhook) {
    const known = webhooks.map(({ path }) => path).join(', ');
    throw new UsageError(`${type} is not an event type of the contract: ${known}.`);
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
