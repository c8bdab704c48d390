import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { readConfig, requireShared } from '../config.ts';
import type { Role } from '../store/connections.ts';
import { unknownSettings } from '../unknown-settings.ts';
import { addApplyCommand } from './apply.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addBlobsCommands } from './blobs.ts';
import { describeError, NotFoundError, UsageError } from './command-error.ts';
import { addConfigCommands } from './config.ts';
import { addConsoleCommand } from './console.ts';
import { addKeyCommands, addTokenCommands } from './credentials.ts';
import { addDatabaseCommands } from './database.ts';
import { addDefinitionCommands } from './definitions.ts';
import { addExecutionCommands } from './executions.ts';
import { addLinkCommands } from './links.ts';
import { describeNotFound } from './not-found.ts';
import { action, addGlobalOptions, type GlobalOptions, refuseJson } from './options.ts';
import { printableLines } from './print.ts';
import { addQueueCommand } from './queue.ts';
import { addResourceCommands } from './resources.ts';
import { addScheduleCommands } from './schedules.ts';
import { addUsageCommand } from './usage.ts';
import { addWebhookCommands } from './webhooks.ts';

const notes = `
Examples:
  $ wrp apply platform.yaml --dry-run
  $ wrp token create --user ada@example.com --workspace "Motor claims" --name "nightly import"
  $ wrp key list --environment sandbox --json

wrp connects to --database-url or DATABASE_URL if one is set, otherwise to the embedded PostgreSQL of the data directory.
If the platform is not running, wrp starts this PostgreSQL for the duration of the command.
Exit status: 0 success, 1 failure, 2 usage error.`;

/**
 * Runs one administration command. Output and errors go to the console.
 *
 * @returns the exit code
 */
export async function runProgram(args: string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message. Requested help and version have exit code 0.
    if (error instanceof CommanderError) {
      const [, name] = /unknown command '([^']+)'/.exec(error.message) ?? [];
      // Of a group: it is a command of its own.
      if (program.commands.some((each) => each.name() === name)) console.error(`The command is: wrp ${name}`);
      return error.exitCode === 0 ? 0 : 2;
    }
    console.error(
      error instanceof NotFoundError ? await describeNotFound(error) : printableLines(describeError(error)),
    );
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The commands of `wrp`, with their options and actions. */
export function createProgram(): Command {
  const program = addGlobalOptions(new Command('wrp'))
    .description('Runs and administers a Workflow and Records Platform.')
    .version(manifest.version)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', notes)
    .exitOverride();
  addPlatformCommands(program);
  addConfigCommands(program);
  addApplyCommand(program);
  addTokenCommands(program);
  addKeyCommands(program);
  addDefinitionCommands(program);
  addExecutionCommands(program);
  addScheduleCommands(program);
  addLinkCommands(program);
  addResourceCommands(program);
  addWebhookCommands(program);
  addAuditCommands(program);
  addQueueCommand(program);
  addUsageCommand(program);
  addConsoleCommand(program);
  addBlobsCommands(program);
  addBackupCommands(program);
  addDatabaseCommands(program);
  return program;
}

const platformNotes = `
Settings are environment variables; the guide to operations lists them (/docs/operations in the portal). DATABASE_URL and
SERVER_KEY (or SERVER_KEY_FILE) are required, and must be the same for all processes of a database. Any number of processes may
run; each uses at most DATABASE_CONNECTIONS (default: 20).`;

/** `wrp serve` and `wrp work`: the parts of the platform in processes of their own. */
function addPlatformCommands(program: Command): void {
  const serve = program
    .command('serve')
    .description('Serves requests. Executions, webhooks and mail are left to `wrp work`.')
    .addHelpText('after', platformNotes)
    .action(action((options: GlobalOptions) => run('serve', options)));
  const work = program
    .command('work')
    .description('Runs executions, webhooks, mail and maintenance, without serving requests.')
    .addHelpText(
      'after',
      `${platformNotes}\nMessages and calls contain PUBLIC_URL and SANDBOX_PUBLIC_URL, so it needs them, too.`,
    )
    .action(action((options: GlobalOptions) => run('work', options)));
  // Their log is JSON anyway.
  for (const command of [serve, work]) refuseJson(command);
}

async function run(role: Exclude<Role, 'all'>, { dataDir, databaseUrl }: GlobalOptions): Promise<void> {
  const config = readConfig({ ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  requireShared(config, role);
  for (const line of unknownSettings(process.env)) console.error(line);
  // Loaded now: other commands do not need it.
  const { startPlatform } = await import('../server.ts');
  const { openLogger } = await import('../observability/logger.ts');
  await startPlatform({ config, logger: openLogger(config.logLevel), progress: console.error }, role);
}
