/**
 * A mock of the platform. Without state, Prism responds with the contract's examples (`examples/`); with
 * `--stateful`, the platform's own handlers respond over a database of the mock's own (`stateful/`).
 * `npm run mock:webhook` sends single webhooks (`webhook/`).
 */

import { allowHostOption, allowOriginOption, command, portOption, run } from '../command-line/command.ts';
import { preferenceHelp } from './examples/prefer.ts';
import type { MockOptions } from './listener.ts';
import { allowTargetOption, checkStateful, seedOption, statefulFlag, webhookUrlOption } from './options.ts';
import { runMock } from './run.ts';

/** @param start is called with options that fit together */
export function mockCommand(start: (options: MockOptions) => Promise<void>) {
  return command('mock')
    .description(`Responds to every operation of the contract: with its examples, or with --stateful from the platform's own
handlers over a database that lasts as long as the mock. Reloads the contract when a file under spec/ is saved.`)
    .option(...statefulFlag)
    .addOption(webhookUrlOption())
    .addOption(allowTargetOption())
    .addOption(seedOption())
    .addOption(portOption('--port <port>', 'port; 0 takes any free one', 4010).env('MOCK_PORT'))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(allowHostOption())
    .addOption(allowOriginOption())
    .option('--json', 'print one line of JSON when ready, instead of the table')
    .option('--quiet', 'do not print a line for each request')
    .addHelpText('after', `\n${preferenceHelp}\n\nMore: spec/guides/mock.md`)
    .action(async ({ webhookUrl, stateful = false, json = false, quiet = false, ...others }) => {
      checkStateful({ ...others, webhookUrl, ...(stateful && { stateful }) });
      await start({ ...others, webhookUrl: webhookUrl?.href, stateful, json, quiet });
    });
}

if (import.meta.main) await run(mockCommand(runMock));
