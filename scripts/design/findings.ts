import type { Finding } from '../contract/source.ts';
import { fixHint } from './fix-hints.ts';
import { merged, type ReportedFinding } from './report.ts';

/** Findings as the designer reads them: those of one cause as one entry, with how to fix it. */
export function grouped(findings: readonly Finding[]): ReportedFinding[] {
  return merged(findings, causeOf).map((finding) => {
    const fix = fixHint(finding);
    return fix ? { ...finding, fix } : finding;
  });
}

/** Examples that violate the same constraint of a schema have one cause, whatever they call the property. */
function causeOf({ rule, message, schema }: Finding): string {
  if (!schema) return `${rule} ${message}`;
  const constraint = message.replace(/(?<=must conform to the schema: )`[^`]*` property /, '');
  return `${rule} ${schema.file}:${schema.line}:${schema.column} ${constraint}`;
}
