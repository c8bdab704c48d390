import { randomBytes } from 'node:crypto';

/**
 * Creates an API key: a public key and its secret, both shown once, to be exchanged at `/auth/authorize`. The
 * secret has 256 random bits; only its digest is stored.
 */
export function newApiKey(): { key: string; secret: string } {
  return {
    key: `wrpk_${randomBytes(12).toString('base64url')}`,
    secret: `wrps_${randomBytes(32).toString('base64url')}`,
  };
}
