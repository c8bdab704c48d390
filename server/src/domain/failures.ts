/** A named failure of a workflow: `States.…` as the specification predefines it, or the definition's own. */
export interface MachineError {
  error: string;
  cause: string;
}

/** Characters of an error's name that are taken, stored and told. */
export const longestErrorName = 200;
/** Characters of a cause. */
export const longestCause = 32_768;

/** Names of errors that begin so are the language's own (Amazon States Language, appendix A). */
export function isReserved(error: string): boolean {
  return error.startsWith('States.');
}
