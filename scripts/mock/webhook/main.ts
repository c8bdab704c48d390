/**
 * Sends a webhook as the platform does: the contract's example of an event, signed.
 *
 *   npm run mock:webhook -- workflow.completed --to http://localhost:3000/webhooks
 */
import {
  CommandError,
  command,
  InvalidArgumentError,
  Option,
  run,
  urlOption,
} from '../../command-line/command.ts';
import { readContract } from '../read-contract.ts';
import { eventTypes } from './message.ts';
import { type SendOptions, sendWebhook } from './send.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param send sends one event, @param list prints the event types; each returns the exit code */
export function webhookCommand(
  send: (options: SendOptions) => Promise<number>,
  list: (json: boolean) => Promise<number>,
) {
  return command('mock:webhook')
    .description(`Sends the contract's example of an event to a receiver, signed as the platform signs it, and prints the response.
The receiver finds the public key at the mock: GET <mock>/auth/webhooks/key/<kid>.`)
    .argument('[event]', 'event type, such as workflow.completed')
    .addOption(urlOption('--to <url>', 'URL of the receiver'))
    .addOption(new Option('--tampered', 'change the body after signing').conflicts(['expired', 'unknownKey']))
    .addOption(new Option('--expired', 'sign with a timestamp of ten minutes ago').conflicts('unknownKey'))
    .option('--unknown-key', 'sign with a key that the mock does not have')
    .addOption(
      new Option(
        '--rotated-key',
        'sign with another key of the mock: valid, with a kid that is new to the receiver',
      ).conflicts('unknownKey'),
    )
    .option('--id <uuid>', 'id of the event, to send it twice; default: a new one', (id) => {
      if (uuid.test(id)) return id;
      throw new InvalidArgumentError('It takes a UUID.');
    })
    .option('--sandbox', 'add the header Webhook-Sandbox: true')
    .option('--list', 'print the event types')
    .option('--json', 'print the request and the response as JSON')
    .addHelpText(
      'after',
      `
Exit code 0: the receiver accepted a valid message, or rejected an invalid one. 1: it did not, or did not respond.`,
    )
    .action(
      async (
        type,
        { to, tampered, expired, unknownKey, rotatedKey = false, list: listed, json = false, ...options },
      ) => {
        if (listed) {
          process.exitCode = await list(json);
          return;
        }
        if (type === undefined)
          throw new CommandError('name an event type, such as workflow.completed. See --list.');
        if (!to) throw new CommandError('--to must be the http or https URL of the receiver.');
        const defect = tampered ? 'tampered' : expired ? 'expired' : unknownKey ? 'unknown-key' : undefined;
        process.exitCode = await send({ ...options, json, type, to, defect, rotatedKey });
      },
    );
}

if (import.meta.main) {
  const contract = () => readContract(new URL('../../../', import.meta.url));
  const cli = webhookCommand(
    async (options) => sendWebhook(options, await contract()),
    async (json) => {
      const types = eventTypes(await contract());
      console.log(json ? JSON.stringify(types) : types.join('\n'));
      return 0;
    },
  );
  await run(cli);
}
