/**
 * The designers' loop: what each save of the contract comes to, in the terminal and in the browser.
 *
 *   npm run design [-- --port 4000 --mock-port 4010]
 */
import { parseArgs } from 'node:util';
import { portOf, runCommand } from '../command-line/run-command.ts';

const root = new URL('../../', import.meta.url);
const usage = `Usage: npm run design [-- --port <port>] [-- --mock-port <port>] [-- --json]

Watches spec/. At each save of any file: lints, bundles, generates, checks the types of server and client, compares
with the last release, builds the portal anew and lets the mock answer from the new contract. What came of it stands
here and in the page. A save with findings leaves portal, mock and generated/ as they were.

  --port       of the page with the portal; default $DESIGN_PORT, else 4000; 0 takes any free port
  --mock-port  of the mock; default $MOCK_PORT, else 4010; 0 takes any free port
  --json       one JSON object a line instead of text: {"event":"listening",…}, then {"event":"answer",…} whenever
               more is known of the newest save
`;

await runCommand('design', async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      'mock-port': { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const port = portOf(values.port ?? process.env['DESIGN_PORT'] ?? '4000', '--port');
  const mockPort = portOf(values['mock-port'] ?? process.env['MOCK_PORT'] ?? '4010', '--mock-port');
  // Loaded once it is needed: a mistyped option is told at once.
  const { runDesign } = await import('./run.ts');
  await runDesign({ root, port, mockPort, asJson: values.json });
  return 0;
});
