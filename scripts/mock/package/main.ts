#!/usr/bin/env node
import { endWithNpx } from '../../../client/src/node/end-with-npx.ts';
import {
  allowHostOption,
  allowOriginOption,
  command,
  listenError,
  portOption,
  run,
} from '../../command-line/command.ts';
import { preferenceHelp } from '../examples/prefer.ts';
import { readyText } from '../messages.ts';
import { allowTargetOption, checkStateful, seedOption, statefulFlag, webhookUrlOption } from '../options.ts';
import { endOnSignals } from '../signals.ts';
import { readContract } from './contract.ts';
import { startMock } from './index.ts';
import { installStateful } from './install-stateful.ts';

const { version } = (await readContract()).info as { version: string };
const cli = command('wrp-mock', 'npx wrp-mock')
  .description(`Responds to every operation of the contract: with its examples, or with --stateful from the platform's own
handlers over a database that lasts as long as the mock. Its first use installs the database.`)
  .option(...statefulFlag)
  .addOption(webhookUrlOption())
  .addOption(allowTargetOption())
  .addOption(seedOption())
  .option(
    '--contract <url|file>',
    'another version of the contract, as JSON. Default: the one of this package',
  )
  .addOption(portOption('--port <port>', 'port; 0 takes any free one', 4010).env('MOCK_PORT'))
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .addOption(allowHostOption())
  .addOption(allowOriginOption())
  .version(version, '-V, --version', 'print the version')
  .option('--json', 'print one line of JSON when ready')
  .addHelpText('after', `\n${preferenceHelp}\n\nThe page /__mock of the mock shows what it can do.`)
  .action(async ({ json, contract, host, port, stateful = false, webhookUrl, ...others }) => {
    checkStateful({ ...others, webhookUrl, ...(stateful && { stateful }) });
    endWithNpx();
    const onRefused = (reason: string) => console.error(reason);
    const starting = (async () =>
      startMock({
        ...{ host, port, onRefused, ...others },
        ...(contract !== undefined && { contract }),
        ...(webhookUrl && { webhookUrl: webhookUrl.href }),
        ...(stateful && { stateful: await installStateful() }),
        onProgress: (line) => console.error(line),
      }))();
    endOnSignals(starting, async () => (await starting).close());
    const mock = await starting.catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'listen' ? new Error(listenError(error, port, host, '--port')) : error;
    });
    const description =
      'description' in mock ? mock.description : { mode: 'examples' as const, baseUrl: mock.url };
    console.log(json ? JSON.stringify(description) : readyText(description as never));
  });

await run(cli);
