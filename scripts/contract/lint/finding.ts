import type { Place } from '../locator.ts';

/** A linter finding with its position in the source. */
export interface Finding extends Place {
  rule: string;
  message: string;
  severity: 'error' | 'warn';
  /** The schema that an example does not match. */
  schema?: Place;
}

/** Findings of one cause: the first of them, and where the others are. */
export type ReportedFinding = Finding & {
  /** How to fix it, unless the message says so. */
  fix?: string;
  also?: Place[];
};

/** Findings as the designer reads them: those of one cause as one entry, with how to fix it. */
export function grouped(findings: readonly Finding[]): ReportedFinding[] {
  return merged([...findings].sort(byPlace), causeOf).map((finding) => {
    const fix = fixHint(finding);
    return fix ? { ...finding, fix } : finding;
  });
}

/** A shared parameter is seldom wrong: what disagrees with it is. Otherwise, the order of the linter. */
const byPlace = (one: Finding, other: Finding) =>
  Number(one.file === sharedParameters) - Number(other.file === sharedParameters);
const sharedParameters = 'spec/parameters.yaml';

/** Examples that violate the same constraint of a schema have one cause, whatever they call the property. */
function causeOf({ rule, message, schema }: Finding): string {
  // A renamed parameter is missing in the path, and the one of the path is missing in the operation.
  if (rule === 'path-parameters-defined') return `${rule} ${/`([^`]*)`\.$/.exec(message)?.[1]}`;
  if (!schema) return `${rule} ${message}`;
  const constraint = message.replace(/(?<=must conform to the schema: )`[^`]*` property /, '');
  return `${schema.file}:${schema.line}:${schema.column} ${constraint}`;
}

/** Merges entries of the same key into the first of them, which names the places of the others. */
export function merged<Entry extends Place & { also?: Place[] }>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[] {
  const groups = Map.groupBy(entries, keyOf);
  return [...groups.values()].map(([first, ...others]) => {
    const also = others.map(({ file, line, column }) => ({ file, line, column }));
    return { ...(first as Entry), ...(also.length > 0 && { also }) };
  });
}

/** How to fix a finding of each of Redocly's rules. Our own rules say it in their message. */
export const fixHints: Readonly<Record<string, string>> = {
  struct: 'Compare with a similar entry: a field is misspelt, missing or at the wrong depth.',
  'no-unresolved-refs':
    'Correct the file name or the part after `#/`; both are relative to the file that refers.',
  arazzo: 'Compare with another file of spec/arazzo/.',
  'arazzo-operation': 'Use an operationId of spec/paths/; if it was renamed there, rename it here too.',
  'array-parameter-serialization': 'Add `style` and `explode` beside the schema of the array.',
  'component-name-unique': 'Rename one of the two: the bundle and the types identify them by name.',
  'info-contact': 'Add `info.contact` with a name and an address.',
  'info-license': 'Add `info.license`.',
  'info-license-strict': 'Give `info.license` an SPDX `identifier`, or a `url`.',
  'no-ambiguous-paths': 'Rename one of the paths, so that each request matches exactly one.',
  'no-duplicated-enum-values': 'Write each value of the `enum` once.',
  'no-duplicated-tag-names': 'Keep one of the tags.',
  'no-empty-servers': 'Add at least one server.',
  'no-enum-type-mismatch':
    'Give the values the type of the schema; quote values that YAML reads as another type.',
  'no-example-value-and-externalValue': 'Keep only `value`.',
  'no-http-verbs-in-paths': 'Use a noun in the path; the method is the verb.',
  'no-identical-paths': 'Keep one of the paths, with all its methods.',
  'no-illogical-composition-keywords': 'Merge the alternatives, or make each of them different.',
  'no-invalid-media-type-examples': 'Change the example or the schema so that they match.',
  'no-invalid-parameter-examples': 'Change the example or the schema of the parameter so that they match.',
  'no-invalid-schema-examples': 'Change the example or the schema that contains it.',
  'no-mixed-number-range-constraints': 'Keep either the inclusive or the exclusive bound.',
  'no-path-trailing-slash': 'Remove the slash at the end of the path.',
  'no-required-schema-properties-undefined':
    'Describe the property under `properties`, or remove it from `required`.',
  'no-schema-type-mismatch':
    'Make `type` and the keywords agree: `properties` belong to objects, `items` to arrays.',
  'no-server-example.com': 'Use a server that exists.',
  'no-server-trailing-slash': 'Remove the slash at the end of the URL.',
  'no-server-variables-empty-enum': 'List the values, including the default.',
  'no-undefined-server-variable': 'Declare the variable under `variables`.',
  'no-unsafe-markdown': 'Write plain Markdown, without HTML or scripts.',
  'no-unused-components': 'Reference it from a path, or remove it.',
  'operation-2xx-response': 'Describe the response to a successful request.',
  'operation-4xx-response':
    'Describe what the caller can do wrong; spec/responses.yaml has the usual error responses.',
  'operation-description':
    'Say in a sentence or two what it does, who may call it and what it leaves unchanged.',
  'operation-operationId':
    'Choose a verb and a noun, such as `listUsers`: it names the handler, the test and the anchor.',
  'operation-operationId-unique':
    'Choose another operationId: it names the handler, the test and the anchor.',
  'operation-operationId-url-safe': 'Use only letters and digits.',
  'operation-parameters-unique': 'Remove one of the two.',
  'operation-singular-tag': 'Keep one tag: the resource.',
  'operation-summary': 'Say in a few words what it does: the portal lists it under this summary.',
  'operation-tag-defined': 'Use a tag that spec/openapi.yaml declares, or declare it there.',
  'parameter-description': 'Say what the parameter means, with its unit and its default.',
  'path-declaration-must-exist': 'Put the name of the parameter between the braces.',
  'path-not-include-query': 'Move what follows `?` into `parameters`, with `in: query`.',
  'path-parameters-defined':
    'Describe each parameter of the path under `parameters`, with the name between its braces.',
  'security-defined': 'Add `security`: both schemes with the permission, or `[]` if anybody may call.',
  'security-scopes-defined': 'Use a permission that is declared.',
  'spec-components-invalid-map-name': 'Use only letters, digits, dots, dashes and underscores.',
  'spec-ref-siblings': 'Move the siblings of the `$ref` to its target, or remove them.',
  'tag-description': 'Say what belongs to the tag.',
};

/** Keywords of OpenAPI 3.0, and what stands for them in 3.1. */
const formerKeywords: Readonly<Record<string, string>> = {
  nullable: "Add 'null' to the types instead: `type: [string, 'null']`.",
};

/** How to fix a finding, unless its message says so. */
export function fixHint({ rule, message }: Finding): string | undefined {
  const [, former = ''] = /^Property `(\w+)` is not expected here/.exec(message) ?? [];
  return message.startsWith('Failed to parse')
    ? yamlHint(message)
    : (formerKeywords[former] ?? fixHints[rule]);
}

/** The rule of an error in a rule of our own, or in the linter itself. */
export const crashRule = 'lint';

/** The rule of everything that prevents a file from being read as YAML. */
export const yamlRule = 'yaml';

const hints: [error: RegExp, hint: string][] = [
  [
    /merge conflict/,
    'Keep one of the two sides, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`.',
  ],
  [
    /unidentified alias/,
    'No anchor in this file has that name: an alias cannot name an anchor of another file. Write the part out, or refer to it with `$ref`.',
  ],
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
