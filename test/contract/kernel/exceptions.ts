/** A difference from the stock validator that is on purpose. */
export interface Exception {
  /** The names of the cases it is about. */
  of: RegExp;
  /** The statuses: the kernel's word, then the stock one. */
  statuses: [ours: number, stock: number];
  reason: string;
}

/** This list may only shrink: a test fails when an entry no longer makes a difference. */
export const requestExceptions: Exception[] = [
  {
    of: /^query value (0x10|1e3|%201|1\.0|01|-0)$/,
    statuses: [400, 200],
    reason:
      'a number in a query is written in decimal, in one way only; the coercion takes any JavaScript number',
  },
  {
    of: /^form with (a text|an empty text) as its file$/,
    statuses: [400, 200],
    reason: 'the validator knows a file and a text both as a string',
  },
  {
    of: /^form with one (numeric )?tag$/,
    statuses: [200, 400],
    reason: 'a form cannot say that a field is a list of one; the validator parses a lone value as JSON',
  },
  {
    of: /^no body$/,
    statuses: [400, 415],
    reason: 'without a body there is no media type to complain about: the body is missing',
  },
  {
    of: /^path value %zz$/,
    statuses: [400, 400],
    reason: 'the answer names the parameter; the stock one names the whole path, and comes before identity',
  },
  {
    of: /^query (page\[a\]|_openapi\[schema\]\[path\])=1$/,
    statuses: [400, 400],
    reason: 'the answer names the parameter as it was sent; brackets mean nothing here',
  },
];

/** The stock validator checks no answer of a fault. */
export function isUncheckedByStock(status: number): boolean {
  return status >= 500;
}
