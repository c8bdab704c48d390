import type { Finding } from '../contract/source.ts';
import { yamlAdvice } from '../lint/yaml-fault.ts';
import type { MendedFinding } from './answer.ts';

/** What to do about a finding of each of Redocly's rules. The rules of our own say it in their message. */
export const mending: Readonly<Record<string, string>> = {
  struct: 'Compare with a neighbour of the same kind: a field is misspelt, missing, or at the wrong depth.',
  'no-unresolved-refs':
    'Correct the file name or the part after `#/`; both are relative to the file that refers.',
  arazzo: 'Compare with another description of spec/arazzo/.',
  'arazzo-operation': 'Name an operationId of spec/paths/; where one was renamed, rename it here too.',
  'array-parameter-serialization': 'State `style` and `explode` beside the schema of the array.',
  'component-name-unique':
    'Give one of the two another name: the bundle and the types know them by it alone.',
  'info-contact': 'State `info.contact` with a name and an address.',
  'info-license': 'State `info.license`.',
  'info-license-strict': 'Give `info.license` an SPDX `identifier`, or a `url`.',
  'no-ambiguous-paths': 'Rename one of the paths, so that each request fits exactly one.',
  'no-duplicated-enum-values': 'Write each value of the `enum` once.',
  'no-duplicated-tag-names': 'Keep one of the tags.',
  'no-empty-servers': 'State at least one server.',
  'no-enum-type-mismatch':
    'Give the values the type that the schema states; quote what YAML reads as something else.',
  'no-example-value-and-externalValue': 'Keep `value` alone.',
  'no-http-verbs-in-paths': 'Name the thing in the path; the method is the verb.',
  'no-identical-paths': 'Keep one of the paths, with all methods below it.',
  'no-illogical-composition-keywords': 'Merge the alternatives, or make each of them different.',
  'no-invalid-media-type-examples': 'Make the example fit the schema, or the schema the example.',
  'no-invalid-parameter-examples': 'Make the example fit the schema of the parameter.',
  'no-invalid-schema-examples': 'Make the example fit the schema that it stands in.',
  'no-mixed-number-range-constraints': 'Keep either the inclusive bound or the exclusive one.',
  'no-path-trailing-slash': 'Take the slash off the end of the path.',
  'no-required-schema-properties-undefined':
    'Describe the property under `properties`, or take it off `required`.',
  'no-schema-type-mismatch':
    'Let `type` and the keywords agree: `properties` are for objects, `items` for arrays.',
  'no-server-example.com': 'Name a server that exists.',
  'no-server-trailing-slash': 'Take the slash off the end of the address.',
  'no-server-variables-empty-enum': 'List the values, the default among them.',
  'no-undefined-server-variable': 'Declare the variable under `variables`.',
  'no-unsafe-markdown': 'Write plain Markdown, without HTML or scripts.',
  'no-unused-components': 'Refer to it from a path, or remove it.',
  'operation-2xx-response': 'Describe the answer of success.',
  'operation-4xx-response':
    'Describe what the caller can do wrong; spec/responses.yaml has the usual answers.',
  'operation-description':
    'Say in a sentence or two what it does, to whom it is allowed and what stays as it was.',
  'operation-operationId':
    'Give it a verb and a noun, such as `listUsers`: handler, test and anchor take this name.',
  'operation-operationId-unique': 'Choose another operationId: handler, test and anchor take this name.',
  'operation-operationId-url-safe': 'Use letters and digits alone.',
  'operation-parameters-unique': 'Remove one of the two.',
  'operation-singular-tag': 'Keep one tag, the resource.',
  'operation-summary': 'Say in a few words what it does; the portal lists it by them.',
  'operation-tag-defined': 'Use a tag that spec/openapi.yaml declares, or declare it there.',
  'parameter-description': 'Say what the parameter means, with its unit and its default.',
  'path-declaration-must-exist': 'Name the parameter between the braces.',
  'path-not-include-query': 'Move what follows `?` into `parameters`, with `in: query`.',
  'path-parameters-defined':
    'Describe each parameter of the path under `parameters`, with the name between its braces.',
  'path-params-defined':
    'Describe each parameter of the path under `parameters`, with the name between its braces.',
  'security-defined':
    'State `security`: the two schemes with the permission, or `[]` where anybody may call.',
  'security-scopes-defined': 'Use a permission that is declared.',
  'spec-components-invalid-map-name': 'Use letters, digits, dots, dashes and underscores alone.',
  'spec-ref-siblings': 'Move what stands beside the `$ref` to where it leads, or drop it.',
  'spec-strict-refs': 'Put the `$ref` where the specification allows one.',
  'tag-description': 'Say what belongs to the tag.',
};

/** A finding with what to do about it, where that is not said by the message. */
export function mended(finding: Finding): MendedFinding {
  const isUnparsed = finding.message.startsWith('Failed to parse');
  const mend = isUnparsed ? yamlAdvice(finding.message) : mending[finding.rule];
  return mend ? { ...finding, mend } : finding;
}
