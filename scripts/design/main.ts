/** The design loop: reports each save of the contract, in the terminal and in the browser. */
import { allowHostOption, allowOriginOption, command, portOption, run } from '../command-line/command.ts';

const cli = command('design')
  .description(
    'Watches spec/ and the code. At each save: lints, bundles, generates, checks the types of server and client, ' +
      'compares with the last release, rebuilds the portal and gives the mock the new contract. Reports to the ' +
      'terminal and to the page. A save with findings leaves portal, mock and generated/ as they were.',
  )
  .addOption(
    portOption('--port <port>', 'port of the page with the portal; 0: any free port', 4000).env(
      'DESIGN_PORT',
    ),
  )
  .addOption(portOption('--mock-port <port>', 'port of the mock; 0: any free port', 4010).env('MOCK_PORT'))
  .addOption(allowHostOption())
  .addOption(allowOriginOption())
  .option(
    '--json',
    'print one JSON object per line: {"event":"listening",…}, then {"event":"report",…} whenever more is known ' +
      'about the newest save',
  )
  .action(async ({ json = false, ...options }) => {
    // Loaded only now: a wrong option is reported at once.
    const { runDesign } = await import('./run.ts');
    await runDesign({ root: new URL('../../', import.meta.url), asJson: json, ...options });
  });

await run(cli);
