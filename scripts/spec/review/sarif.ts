import type { ReportedFinding } from '../../contract/lint/finding.ts';
import { ruleText } from '../../contract/lint/rule-texts.ts';
import type { Place } from '../../contract/locator.ts';
import { ruleGuide } from '../../generate/style-guide.ts';
import type { PlacedBreak } from '../breaking/placed.ts';
import type { Review } from './review.ts';

type Result = {
  ruleId: string;
  level: 'error' | 'warning';
  message: string;
  place: Place;
  related: Place[];
  /** Why it is accepted. */
  accepted?: string | undefined;
};

/** What the help of every breaking change begins with. */
const breakingText =
  'Within a major version, no change may break a client of the last release: add instead of changing or removing, or deprecate.';

/** Findings and breaking changes, those that are accepted as suppressed, as a SARIF 2.1.0 log, which code scanning shows at their lines. */
export function sarifOf({ findings, comparison }: Review, version: string): object {
  const results = [
    ...findings.flatMap(findingResults),
    ...(comparison && !comparison.isNextMajor ? comparison.breaks.map(breakResult) : []),
  ];
  const ruleIds = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'spec:review', semanticVersion: version, rules: ruleIds.map(ruleOf) } },
        originalUriBaseIds: { ROOT: { description: { text: 'The root of the repository.' } } },
        columnKind: 'utf16CodeUnits',
        results: results.map(({ ruleId, level, message, place, related, accepted }) => ({
          ruleId,
          ruleIndex: ruleIds.indexOf(ruleId),
          level,
          message: { text: message },
          locations: [locationOf(place)],
          ...(accepted !== undefined && {
            suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }],
          }),
          ...(related.length > 0 && { relatedLocations: related.map(locationOf) }),
        })),
      },
    ],
  };
}

/** One result for each place, so that each line shows it. */
function findingResults({
  rule,
  message,
  severity,
  fix,
  schema,
  also = [],
  ...first
}: ReportedFinding): Result[] {
  const level = severity === 'warn' ? 'warning' : 'error';
  const text = fix ? `${message.replace(/(?<![.?!])$/, '.')} ${fix}` : message;
  const related = schema ? [schema] : [];
  return [first, ...also].map((place) => ({ ruleId: rule, level, message: text, place, related }));
}

function breakResult({ rule, where, message, accepted, ...place }: PlacedBreak): Result {
  const text = `${where}: ${message}`;
  return { ruleId: `breaking/${rule}`, level: 'error', message: text, place, related: [], accepted };
}

function ruleOf(id: string) {
  const isBreak = id.startsWith('breaking/');
  const text = isBreak ? breakingText : ruleText(id);
  const [sentence = text] = /^[\s\S]*?[.!?](?=\s|$)/.exec(text) ?? [];
  return {
    id,
    shortDescription: { text: plain(sentence) },
    fullDescription: { text: plain(text) },
    help: { text: plain(text), markdown: isBreak ? text : ruleGuide(id) },
    defaultConfiguration: { level: 'error' },
    properties: { tags: [isBreak ? 'breaking-change' : 'contract'] },
  };
}

function locationOf({ file, line, column }: Place) {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(file), uriBaseId: 'ROOT' },
      region: { startLine: line, startColumn: column },
    },
  };
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
