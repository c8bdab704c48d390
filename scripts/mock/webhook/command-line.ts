import { parseArgs } from 'node:util';
import { CommandError } from '../../command-line/run-command.ts';
import type { Fault } from './message.ts';

export const webhookUsage = `Usage: npm run mock:webhook -- <event> --to <url> [<options>]

Sends the contract's example of an event to a receiver, signed as the platform signs it, and prints the answer.
The receiver finds the public key at the mock: GET <mock>/auth/webhooks/key/<kid>.

  --to <url>       the receiver
  --tampered       the body is changed after it was signed
  --expired        it was signed ten minutes ago
  --unknown-key    it is signed with a key that the mock does not have
  --rotated-key    it is signed with another key of the mock: valid, with a kid that the receiver has not seen
  --id <uuid>      the event's id, to send the same one twice; a new one without it
  --sandbox        mark it with Webhook-Sandbox: true
  --list           print the kinds of event
  --json           print what was sent and answered as JSON
  --help

Exit code 0: the receiver took a valid message, or refused one that is not. 1: it did not, or nobody answered.
`;

/** What the command was told. */
export type WebhookOptions =
  | { kind: 'help' }
  | { kind: 'list'; json: boolean }
  | {
      kind: 'send';
      type: string;
      to: URL;
      fault: Fault | undefined;
      rotatedKey: boolean;
      id: string | undefined;
      sandbox: boolean;
      json: boolean;
    };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws an error with one line that names the option, and what it takes */
export function readWebhookOptions(args: string[]): WebhookOptions {
  const { values, positionals } = parsed(args);
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list', json: values.json };
  const [type, ...rest] = positionals;
  if (type === undefined) throw new CommandError('name an event, such as workflow.completed. See --list.');
  if (rest.length > 0) throw new CommandError(`one event at a time: ${rest.join(' ')} is too much.`);
  const to = URL.parse(values.to ?? '');
  if (!to || !/^https?:$/.test(to.protocol))
    throw new CommandError('--to must be the http or https address of the receiver.');
  if (values.id !== undefined && !uuid.test(values.id)) throw new CommandError('--id must be a UUID.');
  const faults = (['tampered', 'expired', 'unknown-key'] as const).filter((name) => values[name]);
  if (faults.length > 1) throw new CommandError(`choose one of --${faults.join(' and --')}.`);
  if (values['rotated-key'] && values['unknown-key'])
    throw new CommandError('choose one of --rotated-key and --unknown-key.');
  const { sandbox, json, id } = values;
  const signing = { fault: faults[0], rotatedKey: values['rotated-key'] };
  return { kind: 'send', type, to, ...signing, id, sandbox, json };
}

function parsed(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...{ to: { type: 'string' }, id: { type: 'string' } },
      ...{ tampered: flag, expired: flag, 'unknown-key': flag, 'rotated-key': flag },
      ...{ sandbox: flag, list: flag, json: flag },
      help: { ...flag, short: 'h' },
    },
  });
}
