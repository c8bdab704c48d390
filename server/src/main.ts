import { Command } from 'commander';
import { readConfig } from './config.ts';
import { isOperatorError } from './operator-errors.ts';
import { startPlatform } from './start.ts';

const notes = `
Settings are environment variables, which the README lists. \`wrp serve\` and \`wrp work\` run the two parts of the platform
in processes of their own.`;

new Command('npm start')
  .description(
    'Runs the Workflow and Records Platform: serves requests and runs executions, webhooks and mail.',
  )
  .addHelpText('after', notes)
  .showHelpAfterError('(add --help for usage)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

try {
  await startPlatform(readConfig(process.env), 'all');
  process.exit(0);
} catch (error) {
  console.error(isOperatorError(error) ? error.message : error);
  process.exit(1);
}
