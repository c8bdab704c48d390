import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addApplyCommand } from './apply.ts';
import { addBlobsCommands } from './blobs.ts';
import { describeError } from './command-error.ts';
import { addKeyCommands, addTokenCommands } from './credentials.ts';
import { addDatabaseCommands } from './database.ts';
import { addDefinitionCommands } from './definitions.ts';
import { addExecutionCommands } from './executions.ts';
import { addLinkCommands } from './links.ts';
import { addGlobalOptions } from './options.ts';
import { addPlatformCommands } from './platform.ts';
import { addResourceCommands } from './resources.ts';
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
  try {
    await createProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has printed the message. Requested help and version have exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(describeError(error));
    return 1;
  }
}

function createProgram(): Command {
  const program = addGlobalOptions(new Command('wrp'))
    .description('Runs and administers a Workflow and Records Platform.')
    .version(manifest.version)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', notes)
    .exitOverride();
  addPlatformCommands(program);
  addApplyCommand(program);
  addTokenCommands(program);
  addKeyCommands(program);
  addDefinitionCommands(program);
  addExecutionCommands(program);
  addLinkCommands(program);
  addResourceCommands(program);
  addWebhookCommands(program);
  addUsageCommand(program);
  addBlobsCommands(program);
  addDatabaseCommands(program);
  return program;
}
