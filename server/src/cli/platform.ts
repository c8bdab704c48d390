import type { Command } from 'commander';
import { readConfig, requireShared } from '../config.ts';
import type { Role } from '../store/connections.ts';
import { action, type GlobalOptions } from './options.ts';

const notes = `
Settings are environment variables; the guide to operations lists them (/docs/operations in the portal). DATABASE_URL and
SERVER_KEY (or SERVER_KEY_FILE) are required, and must be the same for all processes of a database. Any number of processes may
run; each uses at most DATABASE_CONNECTIONS (default: 20).`;

/** `wrp serve` and `wrp work`: the parts of the platform in processes of their own. */
export function addPlatformCommands(program: Command): void {
  program
    .command('serve')
    .description('Serves requests. Executions, webhooks and mail are left to `wrp work`.')
    .addHelpText('after', notes)
    .action(action((options: GlobalOptions) => run('serve', options)));
  program
    .command('work')
    .description('Runs executions, webhooks, mail and maintenance, without serving requests.')
    .addHelpText(
      'after',
      `${notes}\nMessages and calls contain PUBLIC_URL and SANDBOX_PUBLIC_URL, so it needs them, too.`,
    )
    .action(action((options: GlobalOptions) => run('work', options)));
}

async function run(role: Exclude<Role, 'all'>, { dataDir, databaseUrl }: GlobalOptions): Promise<void> {
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  requireShared(config, role);
  // Loaded now: other commands do not need it.
  const { startPlatform } = await import('../start.ts');
  const { openLogger } = await import('../observability/logger.ts');
  await startPlatform({ config, logger: openLogger(config.logLevel), progress: console.error }, role);
}
