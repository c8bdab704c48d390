import type { Client } from './client-types.ts';
import type { User } from './contract.ts';
import { eachItem } from './lists.ts';
import type { CallOptions } from './operation-types.ts';

export interface EachUserOptions extends CallOptions {
  /** Users per page, 1 to 100. Default: 100. */
  size?: number;
}

/** Iterates over all users of the organization in order of creation; see `eachItem`. */
export function eachUser(
  client: Client,
  { size = 100, ...options }: EachUserOptions = {},
): AsyncGenerator<User, void> {
  return eachItem(client, '/organizations/users', { params: { query: { size } }, ...options });
}
