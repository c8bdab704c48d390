/**
 * A mock of the platform. Without state, Prism responds with the contract's examples (`examples/`); with
 * `--stateful`, the platform's own handlers respond over a database of the mock's own (`stateful/`).
 * `npm run mock:webhook` sends single webhooks (`webhook/`).
 */

import {
  allowHostOption,
  allowOriginOption,
  CommandError,
  command,
  listOption,
  numberOption,
  portOption,
  run,
  urlOption,
} from '../command-line/command.ts';
import { originIn } from '../command-line/host-names.ts';
import { preferenceHelp } from './examples/prefer.ts';
import type { MockOptions } from './listener.ts';
import { runMock } from './run.ts';

/** A workspace has at most 10,000 memberships; every second user gets one. */
const mostSeeded = 10_000;

/** @param start is called with options that fit together */
export function mockCommand(start: (options: MockOptions) => Promise<void>) {
  return command('mock')
    .description(`Responds to every operation of the contract: with its examples, or with --stateful from the platform's own
handlers over a database that lasts as long as the mock. Reloads the contract when a file under spec/ is saved.`)
    .option('--stateful', 'keep what is written; workflows run, links work once, webhooks are sent')
    .addOption(urlOption('--webhook-url <url>', 'with --stateful: send every event to this URL'))
    .addOption(
      listOption(
        '--allow-target <url>',
        'with --stateful: webhooks and workflows may call this origin if its address is not public; repeatable',
        (text) => (/^https?:/i.test(text) ? originIn(text) : undefined),
        'an origin such as http://localhost:3000',
      ),
    )
    .addOption(
      numberOption(
        '--seed <count>',
        "with --stateful: add so many users, records and executions to the demo's",
        mostSeeded,
        0,
      ),
    )
    .addOption(portOption('--port <port>', 'port; 0 takes any free one', 4010).env('MOCK_PORT'))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(allowHostOption())
    .addOption(allowOriginOption())
    .option('--json', 'print one line of JSON when ready, instead of the table')
    .option('--quiet', 'do not print a line for each request')
    .addHelpText('after', `\n${preferenceHelp}\n\nMore: spec/guides/mock.md`)
    .action(async ({ webhookUrl, stateful = false, json = false, quiet = false, ...address }) => {
      if (webhookUrl && !stateful)
        throw new CommandError('--webhook-url needs --stateful: without state there are no events.');
      if (address.allowTarget.length > 0 && !stateful)
        throw new CommandError('--allow-target needs --stateful: without state nothing is called.');
      if (address.seed > 0 && !stateful)
        throw new CommandError('--seed needs --stateful: without state the data is that of the examples.');
      await start({ ...address, webhookUrl: webhookUrl?.href, stateful, json, quiet });
    });
}

if (import.meta.main) await run(mockCommand(runMock));
