import type { EnvironmentName } from '../config.ts';
import { isUuid } from '../domain/identifiers.ts';
import type { Database } from '../store/database.ts';
import { CommandError } from './command-error.ts';
import { withPlatform } from './connect.ts';
import type { GlobalOptions } from './options.ts';

/** What every command about one environment takes. */
export type EnvironmentOptions = GlobalOptions & { environment: EnvironmentName };

/** Gives `work` the environment's database. */
export function inEnvironment<T>(
  options: EnvironmentOptions,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  return withPlatform(options, {}, async (open) => work(await open(options.environment)));
}

/** @throws CommandError for what cannot be the identifier of anything */
export function idOf(text: string, noun: string, { environment }: EnvironmentOptions): string {
  if (isUuid(text)) return text.toLowerCase();
  throw noSuch(noun, text, environment);
}

export function noSuch(noun: string, id: string, environment: EnvironmentName): CommandError {
  return new CommandError(`There is no ${noun} ${id} in ${environment}.`);
}
