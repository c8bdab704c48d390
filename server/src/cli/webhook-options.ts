import { Command } from 'commander';
import { environmentOption } from './options.ts';

/** A command of `wrp webhook`, with the environment it is about and an example. */
export function webhookCommand(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .addOption(environmentOption('where').default('production'))
    .addHelpText('after', `\nExample:\n  $ wrp webhook ${example}`);
}
