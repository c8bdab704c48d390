import { type Command, Option } from 'commander';
import type { DeliveryStatus } from '../store/schema.ts';
import { type EndpointEntry, listAttempts, listDeliveries, listEndpoints } from '../store/webhook-log.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { eventExample } from './event-examples.ts';
import { countOf } from './options.ts';
import { minuteOf, printJson, printTable } from './print.ts';
import { expectEndpoint } from './webhook-endpoint.ts';
import { webhookCommand } from './webhook-options.ts';

const statuses: DeliveryStatus[] = ['requested', 'pending', 'delivered', 'failed', 'cancelled'];

export function endpointsCommand(): Command {
  return webhookCommand(
    'endpoints',
    'Lists the endpoints, with what each is told of and how it fares.',
    'endpoints --environment sandbox',
  ).action((_options: unknown, command: Command) => runEndpoints(command.optsWithGlobals()));
}

export function deliveriesCommand(): Command {
  return webhookCommand(
    'deliveries',
    'Lists deliveries, the newest first.',
    'deliveries --status failed --endpoint 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
  )
    .option('--endpoint <id>', 'only to this endpoint')
    .addOption(new Option('--status <status>', 'only those that are so').choices(statuses))
    .option('--type <kind>', 'only of this kind of event, such as user.updated')
    .option('--limit <n>', 'this many at most', countOf, 50)
    .action((_options: unknown, command: Command) => runDeliveries(command.optsWithGlobals()));
}

export function attemptsCommand(): Command {
  return webhookCommand(
    'attempts',
    'Lists the attempts of a delivery, in their order.',
    'attempts 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11',
  )
    .argument('<delivery>', 'its identifier, as deliveries lists it')
    .action((id: string, _options: unknown, command: Command) => runAttempts(id, command.optsWithGlobals()));
}

async function runEndpoints(options: EnvironmentOptions): Promise<void> {
  const entries = await inEnvironment(options, listEndpoints);
  if (options.json) return printJson(entries);
  if (entries.length === 0) return void console.error(`There are no endpoints in ${options.environment}.`);
  printTable(
    ['ID', 'ORGANIZATION', 'URL', 'EVENTS', 'STATE', 'OPEN'],
    entries.map((entry) => {
      const { id, organization, url, events, open } = entry;
      const kinds = events === 'all' ? 'all' : events.join(' ');
      return [id, organization.name, url, kinds, stateOf(entry), open];
    }),
  );
}

function stateOf({ disabledDateTime, disabledBy, failingSince }: EndpointEntry): string {
  if (disabledDateTime) {
    const why = disabledBy === 'receiver' ? 'answered 410' : 'disabled';
    return `${why} ${minuteOf(disabledDateTime)}`;
  }
  return failingSince ? `failing since ${minuteOf(failingSince)}` : 'ok';
}

async function runDeliveries(
  options: EnvironmentOptions & { endpoint?: string; status?: DeliveryStatus; type?: string; limit: number },
): Promise<void> {
  const { endpoint, status, type, limit } = options;
  const endpointId = endpoint === undefined ? undefined : idOf(endpoint, 'endpoint', options);
  const entries = await inEnvironment(options, async (database) => {
    if (endpointId !== undefined) await expectEndpoint(database, endpointId, options);
    const listed = await listDeliveries(database, { endpointId, status, type, limit });
    // Events of a type that only an earlier contract declared are still listed.
    if (listed.length === 0 && type !== undefined) await eventExample(type);
    return listed;
  });
  if (options.json) return printJson(entries);
  if (entries.length === 0)
    return void console.error(`There are no such deliveries in ${options.environment}.`);
  printTable(
    ['ID', 'EVENT', 'HAPPENED', 'STATUS', 'ATTEMPTS', 'LAST', 'NEXT'],
    entries.map(({ id, event, status, attempts, lastOutcome, nextAttemptAt }) => [
      ...[id, event.test ? `${event.type} (test)` : event.type, minuteOf(event.createdDateTime), status],
      ...[attempts, lastOutcome ?? '-', nextAttemptAt ? minuteOf(nextAttemptAt) : '-'],
    ]),
  );
}

async function runAttempts(text: string, options: EnvironmentOptions): Promise<void> {
  const id = idOf(text, 'delivery', options);
  const entries = await inEnvironment(options, (database) => listAttempts(database, id));
  if (!entries) throw noSuch('delivery', id, options.environment);
  if (options.json) return printJson(entries);
  if (entries.length === 0) return void console.error('There was no attempt yet.');
  printTable(
    ['NUMBER', 'AT', 'MILLISECONDS', 'STATUS', 'ERROR'],
    entries.map(({ number, at, milliseconds, status, error }) => [
      ...[number, at, milliseconds, status === null ? '-' : String(status), error ?? '-'],
    ]),
  );
}
