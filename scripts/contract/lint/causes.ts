import { posix } from 'node:path';
import type { Finding } from './finding.ts';

/** The rule of a reference that stands where none can. */
export const misplacedRule = 'contract/strict-refs';

/** Rules about schemas: until they are met, examples that do not match are a consequence. */
const ofSchemas = new Set([
  'contract/no-defs',
  'contract/possible-schemas',
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
]);

/** Rules about examples. */
const ofExamples = new Set([
  'contract/default-fits-schema',
  'contract/header-examples-fit',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
]);

/** A field that was misspelt is missed there, too: how many lines above it is still the same object. */
const nearby = 60;

/**
 * Findings about the structure, without fields that are missing because they are misspelt, and without what is wrong
 * with the target of a reference that cannot stand where it is.
 */
export function withoutConsequences(found: readonly Finding[]): Finding[] {
  const misplaced = found.filter(({ rule }) => rule === misplacedRule);
  const targets = new Set(
    misplaced.map(({ file, message }) =>
      posix.join(posix.dirname(file), /`([^#`]*)/.exec(message)?.[1] ?? ''),
    ),
  );
  const broken = found.filter(({ rule, file }) => rule === misplacedRule || !targets.has(file));
  const misspelt = broken.flatMap(({ message, ...place }) => {
    const [, intended] = /is not expected here\. Did you mean `([^`]+)`\?/.exec(message) ?? [];
    return intended ? [{ ...place, intended }] : [];
  });
  const unexpected = broken.filter(({ message }) => / is not expected here\./.test(message));
  return broken.filter(({ message, file, line }) => {
    // Its entries stand one level too high, and are reported there.
    if (/ but got `null`/.test(message))
      return !unexpected.some((one) => one.file === file && one.line - line >= 0 && one.line - line <= 2);
    const [, missed] = /^The field `([^`]+)` must be present/.exec(message) ?? [];
    return !misspelt.some(
      (one) => one.intended === missed && one.file === file && Math.abs(one.line - line) <= nearby,
    );
  });
}

/**
 * Findings of a contract that can be read, without those that follow from others: examples of schemas that are wrong
 * themselves, links to operations that have lost their name, and further constraints that the same value violates.
 */
export function faults(findings: readonly Finding[]): Finding[] {
  const wrongSchemas = new Set(findings.flatMap(({ rule, file }) => (ofSchemas.has(rule) ? file : [])));
  const hasWrongSchema = wrongSchemas.size > 0;
  const hasWrongName = findings.some(({ rule }) =>
    /^operation-operationId|^operation-tag-defined$|^path-parameters-defined$/.test(rule),
  );
  const seen = new Set<string>();
  return findings.filter(({ rule, file, line, column, message, schema }) => {
    if (rule === 'contract/creation-linked')
      return !(message.includes('is not in the response') ? hasWrongSchema : hasWrongName);
    if (rule === 'contract/links-lead' && message.includes(' has no operation ')) return !hasWrongName;
    if (rule === 'no-unused-components') return !hasWrongSchema;
    if (!ofExamples.has(rule)) return true;
    // Another file may have a mistake of its own.
    const isOfItself = schema && !message.startsWith('Example validation errored');
    if (isOfItself ? wrongSchemas.has(schema.file) : hasWrongSchema) return false;
    const property = /`[^`]*` property/.exec(message)?.[0];
    const value = `${rule} ${file}:${line}:${column} ${property ?? message}`;
    const isNew = !seen.has(value);
    seen.add(value);
    return isNew;
  });
}

/** What names a path or an event that is not listed in spec/openapi.yaml does not find it. */
export function withoutUnlisted(findings: readonly Finding[]): Finding[] {
  const naming = ['contract/event-types', 'contract/creation-linked', 'contract/links-lead'];
  return findings.filter(({ rule }) => !naming.includes(rule));
}

/** Whether a reference that should be there is missing, so that what it would refer to is unused. */
export function leavesUnused(findings: readonly Finding[]): boolean {
  const rules = ['contract/examples-present', 'contract/no-defs', 'path-parameters-defined'];
  return findings.some(
    ({ rule, message }) => rules.includes(rule) || message.startsWith('Describe its responses'),
  );
}
