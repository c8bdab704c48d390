import type { Command } from 'commander';
import { createApiKey, listApiKeys, revokeApiKey } from '../store/credentials.ts';
import { credentialCommand } from './credential-commands.ts';

/** `wrp key`: API keys with their secrets, to be exchanged at `/auth/authorize`. */
export function keyCommand(): Command {
  return credentialCommand({
    name: 'key',
    noun: 'API key',
    description: 'API keys: a key and a secret, to be exchanged for access tokens at /auth/authorize.',
    reference: 'id|key',
    examples: {
      create: 'create --user ada@example.com --workspace "Motor claims" --name "partner portal"',
      list: 'list --all',
      revoke: 'revoke wrpk_h2Zb0mQ4tR8yVwXc',
    },
    create: createApiKey,
    printSecret: (created) => {
      const { key, secret } = created as { id: string; key: string; secret: string };
      console.log(`key     ${key}\nsecret  ${secret}`);
    },
    list: listApiKeys,
    revoke: revokeApiKey,
  });
}
