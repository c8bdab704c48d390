import { Command } from 'commander';
import type { EnvironmentName } from '../config.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import { environmentOption, type GlobalOptions } from './options.ts';

/** What every command about webhooks takes. */
export type WebhookOptions = GlobalOptions & { environment: EnvironmentName };

/** A command of `wrp webhook`, with the environment it is about and an example. */
export function webhookCommand(name: string, description: string, example: string): Command {
  return new Command(name)
    .description(description)
    .addOption(environmentOption('where').default('production'))
    .addHelpText('after', `\nExample:\n  $ wrp webhook ${example}`);
}

/** Gives `work` the environment's database. */
export function inEnvironment<T>(
  options: WebhookOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withPlatform(options, {}, async (open) => work(await open(options.environment)));
}

/** @throws CommandError for what cannot be the identifier of anything */
export function idOf(text: string, noun: string, { environment }: WebhookOptions): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw noSuch(noun, text, environment);
}

export function noSuch(noun: string, id: string, environment: EnvironmentName): CommandError {
  return new CommandError(`There is no ${noun} ${id} in ${environment}.`);
}
