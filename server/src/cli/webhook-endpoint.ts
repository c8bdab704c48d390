import type { Database } from '../store/database.ts';
import { type EndpointEntry, listEndpoints } from '../store/webhook-log.ts';
import { CommandError } from './command-error.ts';
import { type EnvironmentOptions, noSuch } from './environment.ts';

/** @throws CommandError for an endpoint that there is not */
export async function expectEndpoint(
  database: Database,
  id: string,
  { environment }: EnvironmentOptions,
): Promise<EndpointEntry> {
  const endpoint = (await listEndpoints(database)).find((entry) => entry.id === id);
  if (!endpoint) throw noSuch('endpoint', id, environment);
  return endpoint;
}

/** Of whatever would be sent to an endpoint that takes nothing. */
export const disabledError = () => new CommandError('The endpoint is disabled: enable it first.');
