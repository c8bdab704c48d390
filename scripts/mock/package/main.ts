#!/usr/bin/env node
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
import { startMock } from './index.ts';

const cli = command('wrp-mock', 'npx wrp-mock')
  .description('Responds to every operation of the contract with its examples.')
  .option(
    '--contract <url|file>',
    'another version of the contract, as JSON. Default: the one of this package',
  )
  .addOption(portOption('--port <port>', 'port; 0 takes any free one', 4010).env('MOCK_PORT'))
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .addOption(allowHostOption())
  .addOption(allowOriginOption())
  .option('--json', 'print one line of JSON when ready')
  .addHelpText('after', `\n${preferenceHelp}\n\nThe page /__mock of the mock shows what it can do.`)
  .action(async ({ json, contract, host, port, ...allowed }) => {
    const onRefused = (reason: string) => console.error(reason);
    const options = { host, port, onRefused, ...allowed, ...(contract !== undefined && { contract }) };
    const mock = await startMock(options).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'listen' ? new Error(listenError(error, port, host, '--port')) : error;
    });
    const description = { mode: 'examples' as const, baseUrl: mock.url };
    console.log(json ? JSON.stringify(description) : readyText(description));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void mock.close().then(() => process.exit(0)));
  });

await run(cli);
