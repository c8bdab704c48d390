import { isAbsolute, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };
import { fromWorkingDirectory } from './options.ts';

/** An error in a file. Line and column count from 1; the pointer is a JSON Pointer (RFC 6901). */
export interface Finding {
  file: string;
  rule: keyof typeof rules;
  line: number;
  column: number;
  pointer: string;
  message: string;
  /** A warning does not fail the check. */
  level: 'error' | 'warning';
}

const rules = {
  syntax: 'The file is valid JSON or YAML.',
  definition: 'The definition is valid in the Amazon States Language with JSONata, as the platform runs it.',
};

/** A log in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS), which editors and CI systems display. */
export function sarifOf(findings: Finding[]): object {
  const ids = Object.keys(rules) as (keyof typeof rules)[];
  return {
    version: '2.1.0',
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    runs: [
      {
        tool: {
          driver: {
            name: 'wrp definition check',
            version: manifest.version,
            rules: ids.map((id) => ({ id, shortDescription: { text: rules[id] } })),
          },
        },
        // Columns count the code units of JavaScript strings.
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ file, rule, line, column, pointer, message, level }) => ({
          ruleId: rule,
          ruleIndex: ids.indexOf(rule),
          level,
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                region: { startLine: line, startColumn: column },
              },
              ...(pointer && { logicalLocations: [{ fullyQualifiedName: pointer }] }),
            },
          ],
        })),
      },
    ],
  };
}

/** Relative to the working directory, which in CI is the repository; absolute for a file elsewhere. */
function uriOf(file: string): string {
  const path = resolve(fromWorkingDirectory(file));
  const inside = relative(fromWorkingDirectory('.'), path);
  if (inside.startsWith('..') || isAbsolute(inside)) return pathToFileURL(path).href;
  return inside.split(sep).map(encodeURIComponent).join('/');
}
