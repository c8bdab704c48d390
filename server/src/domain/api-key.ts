import { randomBytes } from 'node:crypto';

/**
 * Makes an API key: a public name for the key and its secret, both shown once, to be exchanged at
 * `/auth/authorize`. The secret has 256 bits of randomness; only its digest is stored.
 */
export function newApiKey(): { key: string; secret: string } {
  return {
    key: `wrpk_${randomBytes(12).toString('base64url')}`,
    secret: `wrps_${randomBytes(32).toString('base64url')}`,
  };
}
