import type { Place } from '../contract/locator.ts';

/** One thing that the linter found, where the designer wrote it. */
export interface Finding extends Place {
  rule: string;
  message: string;
  severity: 'error' | 'warn';
  /** The schema that an example does not match. */
  schema?: Place;
}
