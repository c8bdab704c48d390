import { Command } from 'commander';
import { addApplyCommand } from './apply.ts';
import { addBlobsCommands } from './blobs.ts';
import { addKeyCommands, addTokenCommands } from './credentials.ts';
import { addDefinitionCommands } from './definitions.ts';
import { addExecutionCommands } from './executions.ts';
import { addLinkCommands } from './links.ts';
import { addGlobalOptions } from './options.ts';
import { addResourceCommands } from './resources.ts';
import { addUsageCommand } from './usage.ts';
import { addWebhookCommands } from './webhooks.ts';

const notes = `
Examples:
  $ wrp apply platform.yaml --dry-run
  $ wrp token create --user ada@example.com --workspace "Motor claims" --name "nightly import"
  $ wrp key list --environment sandbox --json

wrp connects to the database of the platform that runs on the data directory. If none is running, wrp starts the
database until the command ends.
Exit status: 0 success, 1 failure, 2 usage error.`;

/** The administration commands. Usage errors are thrown as CommanderError. */
export function createProgram(version: string): Command {
  const program = addGlobalOptions(new Command('wrp'))
    .description('Administers a Workflow and Records Platform.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', notes)
    .exitOverride();
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
  return program;
}
