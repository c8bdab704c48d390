import { Command } from 'commander';
import { applyCommand } from './apply.ts';
import { blobsCommand } from './blobs.ts';
import { definitionCommand } from './definitions.ts';
import { executionCommand } from './executions.ts';
import { keyCommand } from './keys.ts';
import { linkCommand } from './links.ts';
import { addGlobalOptions } from './options.ts';
import { resourceCommand } from './resources.ts';
import { tokenCommand } from './tokens.ts';
import { usageCommand } from './usage.ts';
import { webhookGroup } from './webhooks.ts';

const examples = `
Examples:
  $ wrp apply platform.yaml --dry-run
  $ wrp token create --user ada@example.com --workspace "Motor claims" --name "nightly import"
  $ wrp key list --environment sandbox --json

It works on the platform that runs on the data directory, or starts that platform's database for as long as it takes.
Exit status: 0 done, 1 not done, 2 wrong usage.`;

/** The administrator's commands. Wrong usage is thrown as a CommanderError. */
export function createProgram(version: string): Command {
  const program = addGlobalOptions(new Command('wrp'))
    .description('Administers a Workflow and Records Platform.')
    .version(version)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', examples);
  const groups = [tokenCommand(), keyCommand(), definitionCommand(), executionCommand(), linkCommand()];
  const more = [resourceCommand(), webhookGroup(), usageCommand(), blobsCommand()];
  for (const command of [applyCommand(), ...groups, ...more]) program.addCommand(command);
  inherit(program);
  return program;
}

/** Commands that were made on their own know nothing of the program's settings. */
function inherit(parent: Command): void {
  parent.exitOverride();
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inherit(command);
  }
}
