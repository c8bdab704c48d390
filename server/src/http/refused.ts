import type { Refusal } from './operation.ts';

/**
 * A refusal on its way out of code that cannot return it: what happens before a handler runs, while a
 * body arrives or a file is sent. Handlers return their refusals.
 */
export class Refused extends Error {
  readonly refusal: Refusal;
  /** Headers that belong to the refusal, such as `Retry-After`. */
  readonly headers: Record<string, string>;

  constructor(refusal: Refusal, headers: Record<string, string> = {}) {
    // Refusals are everyday answers: walking the stack for each would cost more than all checks of a request.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(refusal.errors.map(({ code }) => code).join(', '));
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'Refused';
    this.refusal = refusal;
    this.headers = headers;
  }
}
