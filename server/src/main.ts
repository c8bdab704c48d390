import { Command } from 'commander';
import { readConfig } from './config.ts';
import { openLogger } from './observability/logger.ts';
import { openServer } from './store/open-server.ts';
import { unknownSettings } from './unknown-settings.ts';

const notes = `
Settings are environment variables, which spec/guides/operations.md lists. \`wrp serve\` and \`wrp work\` run the two parts of
the platform in processes of their own.`;

new Command('npm start')
  .description(
    'Runs the Workflow and Records Platform: serves requests and runs executions, webhooks and mail.',
  )
  .addHelpText('after', notes)
  .showHelpAfterError('(add --help for usage)')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse();

/** Milliseconds until the other modules load anyway: the first start has a database to create. */
const longestLaunch = 200;
let embedded: ReturnType<typeof openServer> | undefined;
try {
  const config = readConfig(process.env);
  for (const line of unknownSettings(process.env)) console.error(line);
  const opened = { config, logger: openLogger(config.logLevel), progress: console.error };
  // PostgreSQL starts while the other modules load. Its failure is reported where it is used.
  if (!config.databaseUrl) {
    await new Promise<void>((resolve) => {
      embedded = openServer({ ...opened, onLaunch: resolve });
      embedded.catch(() => resolve());
      setTimeout(resolve, longestLaunch).unref();
    });
  }
  const { startPlatform } = await import('./server.ts');
  await startPlatform({ ...opened, database: embedded }, 'all');
  process.exit(0);
} catch (error) {
  const { isOperatorError } = await import('./operator-errors.ts');
  console.error(isOperatorError(error) ? error.message : error);
  await embedded?.then(({ stop }) => stop()).catch(() => {});
  process.exit(1);
}
