#!/usr/bin/env node
import { command, listenError, portOption, run } from '../../command-line/command.ts';
import { type RunningMock, startMock } from './index.ts';

const cli = command('wrp-mock', 'npx wrp-mock')
  .description('Responds to every operation of the contract with its examples.')
  .option(
    '--contract <url|file>',
    'another version of the contract, as JSON. Default: the one of this package',
  )
  .addOption(portOption('--port <port>', 'port; 0 takes any free one', 4010).env('MOCK_PORT'))
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--json', 'print one line of JSON when ready')
  .addHelpText(
    'after',
    `
Headers of a request (RFC 7240):
  Prefer: code=404              another documented response
  Prefer: example=userNotFound  a response by the name of its example
  Prefer: dynamic=true          a body generated from the schema
  Prefer: wait=2                delay the response by two seconds

The page /__mock of the mock shows what it can do.`,
  )
  .action(async ({ json, contract, host, port }) => {
    const options = { host, port, ...(contract !== undefined && { contract }) };
    const mock = await startMock(options).catch((error: NodeJS.ErrnoException) => {
      throw error.syscall === 'listen' ? new Error(listenError(error, port, host, '--port')) : error;
    });
    console.log(json ? JSON.stringify({ mode: 'examples', baseUrl: mock.url }) : readyText(mock));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => void mock.close().then(() => process.exit(0)));
  });

function readyText({ url }: RunningMock): string {
  return `
  The mock responds with the examples of the contract.

  API    ${url}
  Page   ${url}/__mock
  Token  any

  curl -H 'Authorization: any' '${url}/organizations/users'
`;
}

await run(cli);
