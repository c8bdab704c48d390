import { type Diagnostic, DiagnosticSeverity, type Location } from 'vscode-languageserver/node';
import { visit } from 'yaml';
import type { ReportedFinding } from '../contract/lint/finding.ts';
import type { Place } from '../contract/locator.ts';
import type { Sources } from './sources.ts';

/** A finding as editors show it. */
export function diagnosticOf(finding: ReportedFinding, sources: Sources): Diagnostic {
  const { rule, message, fix, severity, also = [] } = finding;
  return {
    range: locationOf(finding, sources).range,
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'contract',
    code: rule,
    message: fix ? `${message}\n${fix}` : message,
    relatedInformation: also.map((place) => ({ location: locationOf(place, sources), message: 'The same.' })),
  };
}

/** The key or value at a place, as far as it is on the same line; without one, the rest of the line. */
function locationOf({ file, line, column }: Place, { yaml, document }: Sources): Location {
  const text = document(file);
  const start = { line: line - 1, character: column - 1 };
  const offset = text.offsetAt(start);
  let { length } = text.getText().slice(offset).split('\n', 1).join().trimEnd();
  visit(yaml.open(file).document, {
    Scalar(_, { range }) {
      if (range?.[0] === offset && range[1] > offset) length = Math.min(length, range[1] - offset);
    },
  });
  return { uri: text.uri, range: { start, end: { ...start, character: start.character + length } } };
}
