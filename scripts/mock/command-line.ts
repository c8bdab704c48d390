import { parseArgs } from 'node:util';
import { CommandError, portOf } from '../command-line/run-command.ts';

/** What the command was told, with everything that was left out filled in. */
export interface MockOptions {
  port: number;
  host: string;
  stateful: boolean;
  webhookUrl: string | undefined;
  json: boolean;
  quiet: boolean;
  help: boolean;
}

export const mockUsage = `Usage: npm run mock [-- <options>]

Answers every operation of the contract: with its examples, or with --stateful from the platform's own handlers
over a database that lasts as long as the mock. Saves under spec/ are taken over while it runs.

  --stateful            keep what is written; workflows run, links work once, webhooks are sent
  --webhook-url <url>   with --stateful: send every event to this address
  --port <port>         default $MOCK_PORT, else 4010; 0 takes any free port
  --host <address>      default 127.0.0.1
  --json                print one line of JSON when it is ready, in place of the table
  --quiet               do not print a line for each request
  --help

Headers of a request (RFC 7240):
  Prefer: code=404            another documented answer
  Prefer: example=userNotFound
  Prefer: wait=2              an answer after two seconds

More: spec/guides/mock.md
`;

/** @throws an error with one line that names the option or the variable, and what it takes */
export function readMockOptions(args: string[], env: NodeJS.ProcessEnv): MockOptions {
  const values = parsed(args);
  const webhookUrl = values['webhook-url'];
  if (webhookUrl !== undefined && !values.stateful) {
    throw new CommandError(
      '--webhook-url needs --stateful: without state nothing happens that could be told.',
    );
  }
  if (webhookUrl !== undefined && !/^https?:$/.test(URL.parse(webhookUrl)?.protocol ?? '')) {
    throw new CommandError(`--webhook-url must be an http or https address, not "${webhookUrl}".`);
  }
  return {
    port: portOf(values.port ?? (env['MOCK_PORT'] || '4010'), '--port or MOCK_PORT'),
    host: values.host,
    stateful: values.stateful,
    webhookUrl,
    json: values.json,
    quiet: values.quiet,
    help: values.help,
  };
}

function parsed(args: string[]) {
  return parseArgs({
    args,
    options: {
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      stateful: { type: 'boolean', default: false },
      'webhook-url': { type: 'string' },
      json: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  }).values;
}
