import type { KeyObject } from 'node:crypto';

/**
 * The keys of one purpose: one signs and encrypts; what any of them has signed or encrypted is accepted, so that the server
 * key can be replaced.
 */
export interface DerivedKeys {
  readonly current: KeyObject;
  readonly accepted: readonly KeyObject[];
}
