import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Database } from '../store/database.ts';
import { type AttemptEntry, listAttempts } from '../store/webhook-log.ts';
import { requestTest } from '../store/webhook-requests.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, idOf, inEnvironment, noSuch } from './environment.ts';
import { eventExample } from './event-examples.ts';
import { printJson } from './print.ts';
import { disabledError } from './webhook-endpoint.ts';
import { webhookCommand } from './webhook-options.ts';

/** An attempt takes 20 s at most. */
const patienceMilliseconds = 25_000;

type Options = EnvironmentOptions & { type: string; wait: boolean };

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
  const { type } = options;
  const { data, workspaceId } = await eventExample(type);
  const event = { type, data, inWorkspace: workspaceId !== undefined };
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
      return disabledError();
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
