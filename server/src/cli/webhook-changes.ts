import type { Command } from 'commander';
import type { Database } from '../store/database.ts';
import { disableEndpoint, enableEndpoint } from '../store/webhook-endpoints.ts';
import { retireKeys } from '../store/webhook-keys.ts';
import { requestRedelivery } from '../store/webhook-requests.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { printJson } from './print.ts';
import { disabledError, expectEndpoint } from './webhook-endpoint.ts';
import { webhookCommand } from './webhook-options.ts';

type RedeliverOptions = EnvironmentOptions & { endpoint?: string };

export function redeliverCommand(): Command {
  return webhookCommand(
    'redeliver',
    'Delivers anew, with the same event id: some deliveries, or all of an endpoint that have not arrived.',
    'redeliver --endpoint 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
  )
    .argument('[deliveries...]', 'their identifiers, as deliveries lists them')
    .option('--endpoint <id>', 'all of this endpoint that have not arrived')
    .action((ids: string[], _options: unknown, command: Command) => {
      const options: RedeliverOptions = command.optsWithGlobals();
      if ((ids.length === 0) === (options.endpoint === undefined)) {
        command.error('error: name deliveries, or an endpoint with --endpoint');
      }
      return runRedeliver(ids, options);
    });
}

export function enableCommand(): Command {
  return webhookCommand(
    'enable',
    'Sends to an endpoint again, what happens from now on.',
    'enable 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
  )
    .argument('<endpoint>', 'its identifier, as endpoints lists it')
    .action((id: string, _options: unknown, command: Command) => runEnable(id, command.optsWithGlobals()));
}

export function disableCommand(): Command {
  return webhookCommand(
    'disable',
    'Sends nothing more to an endpoint; what waits for it is cancelled.',
    'disable 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
  )
    .argument('<endpoint>', 'its identifier, as endpoints lists it')
    .action((id: string, _options: unknown, command: Command) => runDisable(id, command.optsWithGlobals()));
}

export function rotateKeysCommand(): Command {
  return webhookCommand(
    'rotate-keys',
    'Signs with a new key from now on; the old one is served until its last signature is worthless.',
    'rotate-keys',
  ).action((_options: unknown, command: Command) => runRotate(command.optsWithGlobals()));
}

async function runRedeliver(texts: string[], options: RedeliverOptions): Promise<void> {
  const which =
    options.endpoint === undefined
      ? { deliveryIds: texts.map((text) => idOf(text, 'delivery', options)) }
      : { endpointId: idOf(options.endpoint, 'endpoint', options) };
  const ids = await inEnvironment(options, async (database) => {
    if ('endpointId' in which) await expectEnabled(database, which.endpointId, options);
    return requestRedelivery(database, which, new Date());
  });
  const left = 'deliveryIds' in which ? which.deliveryIds.filter((id) => !ids.includes(id)) : [];
  if (left.length > 0 && ids.length === 0) {
    throw new CommandError(`There is no such delivery to an enabled endpoint in ${options.environment}.`);
  }
  if (options.json) return printJson({ deliveryIds: ids });
  console.error(`${ids.length} to be delivered anew, as soon as the platform runs.`);
  for (const id of left) console.error(`${id}: unknown, or its endpoint is disabled.`);
}

async function expectEnabled(database: Database, id: string, options: EnvironmentOptions): Promise<void> {
  const { disabledDateTime } = await expectEndpoint(database, id, options);
  if (disabledDateTime !== null) throw disabledError();
}

async function runEnable(text: string, options: EnvironmentOptions): Promise<void> {
  const id = idOf(text, 'endpoint', options);
  const outcome = await inEnvironment(options, (database) => enableEndpoint(database, id));
  if (outcome === 'unknown') throw noSuch('endpoint', id, options.environment);
  if (options.json) return printJson({ outcome });
  console.error(outcome === 'enabled' ? 'The endpoint is enabled.' : 'The endpoint was enabled before.');
  if (outcome === 'enabled')
    console.error(`What was cancelled comes with: wrp webhook redeliver --endpoint ${id}`);
}

async function runDisable(text: string, options: EnvironmentOptions): Promise<void> {
  const id = idOf(text, 'endpoint', options);
  const outcome = await inEnvironment(options, (database) =>
    database.transaction().execute((transaction) => disableEndpoint(transaction, id, 'operator', new Date())),
  );
  if (outcome === 'unknown') throw noSuch('endpoint', id, options.environment);
  if (options.json) return printJson({ outcome });
  console.error(outcome === 'disabled' ? 'The endpoint is disabled.' : 'The endpoint was disabled before.');
}

async function runRotate(options: EnvironmentOptions): Promise<void> {
  const retired = await inEnvironment(options, (database) => retireKeys(database, new Date()));
  if (options.json) return printJson({ retired });
  for (const { id, servedUntil } of retired) console.error(`${id}: retired, served until ${servedUntil}.`);
  console.error('The next webhook is signed with a new key.');
}
