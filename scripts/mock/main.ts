/**
 * A stand-in for the platform: every operation answers with an example of the contract, by Prism, or with
 * `--stateful` from the platform's own handlers.
 *
 *   npm run mock [-- --stateful --port 4010]
 */
import { runCommand } from '../command-line/run-command.ts';
import { mockUsage, readMockOptions } from './command-line.ts';
import { runMock } from './run.ts';

await runCommand('mock', async () => {
  const options = readMockOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(mockUsage);
  else await runMock(options);
  return 0;
});
