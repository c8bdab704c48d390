/** The rule of whatever keeps a file from being read as YAML. */
export const yamlRule = 'yaml';

const advice: [kind: RegExp, mend: string][] = [
  [
    /duplicated mapping key|keys must be unique/i,
    'The key stands twice at this depth: keep one, or indent it under another.',
  ],
  [/\btabs?\b/i, 'Indent with spaces: YAML takes no tabs.'],
  [
    /quote|deficient indentation/i,
    'A quote or a bracket is not closed, here or on a line before; an apostrophe inside single quotes is written twice.',
  ],
  [
    /flow collection|flow (?:map|seq)/i,
    'A `{` or `[` is not closed, or a comma is missing between two entries.',
  ],
];
const other = 'Look at the line itself and the one before: indentation, a missing colon or quote.';

/** What to do about a fault, by what the parser says of it. */
export function yamlAdvice(message: string): string {
  return advice.find(([kind]) => kind.test(message))?.[1] ?? other;
}
