/**
 * Where the kernel is stricter than the stock validator, on purpose. This list may only shrink: a test
 * fails when an entry no longer makes a difference.
 */
export const stricterRequests: { of: RegExp; ours: number; stock: number; reason: string }[] = [
];

/** Answers that the stock validator lets through. */
export function stricterAnswers(status: number, _name: string): boolean {
  // It checks no answer of a fault.
  return status >= 500;
}
