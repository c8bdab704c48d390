import type { Command } from 'commander';
import {
  createOrganizationToken,
  listOrganizationTokens,
  revokeOrganizationToken,
} from '../store/credentials.ts';
import { credentialCommand } from './credential-commands.ts';

/** `wrp token`: a script gets nothing but the token on standard output. */
export function tokenCommand(): Command {
  return credentialCommand({
    name: 'token',
    noun: 'organization token',
    description: 'Organization tokens: tot_…, sent as they are in the Authorization header.',
    reference: 'id|token',
    examples: {
      create: 'create --user ada@example.com --workspace "Motor claims" --name "nightly import"',
      list: 'list --user ada@example.com',
      revoke: 'revoke 5b0e7c1a-52f4-4a0b-8a54-0d6f3c1b9a02',
    },
    create: createOrganizationToken,
    printSecret: (created) => console.log((created as { id: string; token: string }).token),
    list: listOrganizationTokens,
    revoke: revokeOrganizationToken,
  });
}
