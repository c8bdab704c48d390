import type { Place } from '../contract/locator.ts';

/** A linter finding with its position in the source. */
export interface Finding extends Place {
  rule: string;
  message: string;
  severity: 'error' | 'warn';
  /** The schema that an example does not match. */
  schema?: Place;
}
