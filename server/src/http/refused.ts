import type { Refusal } from '../../contract/index.ts';

/**
 * A refusal thrown by code that cannot return it: before a handler runs, while a body arrives, or while a file is
 * sent. Handlers return refusals.
 */
export class Refused extends Error {
  readonly refusal: Refusal;
  /** Headers that belong to the refusal, such as `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(refusal: Refusal, headers: Record<string, string> = {}) {
    // Refusals are common: capturing a stack for each would cost more than all checks of a request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(refusal.errors.map(({ code }) => code).join(', '));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refused';
    this.refusal = refusal;
    this.headers = headers;
  }
}
