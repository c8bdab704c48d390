/** The rule of everything that prevents a file from being read as YAML. */
export const yamlRule = 'yaml';

const hints: [error: RegExp, hint: string][] = [
  [
    /duplicated mapping key|keys must be unique/i,
    'The key occurs twice at this level: keep one, or indent it under another key.',
  ],
  [/\btabs?\b/i, 'Indent with spaces: YAML does not allow tabs.'],
  [
    /quote|deficient indentation/i,
    'A quote or a bracket is not closed, here or on an earlier line; an apostrophe inside single quotes is written twice.',
  ],
  [
    /flow collection|flow (?:map|seq)/i,
    'A `{` or `[` is not closed, or a comma is missing between two entries.',
  ],
];
const otherHint = 'Check this line and the one before: indentation, a missing colon or quote.';

/** How to fix a YAML error, by the parser's message. */
export function yamlHint(message: string): string {
  return hints.find(([error]) => error.test(message))?.[1] ?? otherHint;
}
