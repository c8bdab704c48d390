import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ContractDocument as Contract, keysOf } from '../../server/contract/index.ts';
import { temporaryDirectory } from '../command-line/temporary-directory.ts';
import { completeDeprecations } from './deprecation-guide.ts';
import { completeErrorGuide } from './error-guide.ts';
import { faults, leavesUnused, misplacedRule, withoutConsequences, withoutUnlisted } from './lint/causes.ts';
import { crashRule, type Finding, yamlRule } from './lint/finding.ts';
import { journeyFiles, unknownOperationRule } from './lint/journeys.ts';
import { causeIn, linterError } from './lint/linter-error.ts';
import { explained } from './lint/references.ts';
import { unusedEntries } from './lint/unused.ts';
import { explainedYaml } from './lint/yaml-errors.ts';
import { formatPlace, type Locator, sourceLocator } from './locator.ts';
import type { Redocly } from './redocly/redocly.ts';

const entry = 'spec/openapi.yaml';

export type { Contract, Finding };

/**
 * Lints the source and its journeys. If a file does not parse or does not exist, every reference to it is a finding,
 * with further ones as a consequence; then only the cause is returned, once.
 */
export async function lintContract(root: URL, redocly: Redocly): Promise<Finding[]> {
  const options = ['--max-problems', '10000', '--format', 'json'];
  const journeys = await journeyFiles(root);
  const files = [entry, ...journeys.readable];
  const { stdout, stderr } = await redocly.run(['lint', ...files, ...options]);
  // One JSON document per file, without a separator.
  const reports = stdout.trim() === '' ? [] : stdout.trim().split(/(?<=^\})(?=\{)/m);
  const problems = reports.flatMap((report) => (JSON.parse(report) as { problems: LintProblem[] }).problems);
  const locator = sourceLocator(root);
  const found = problems.map((problem) => toFinding(problem, fileURLToPath(root), locator));
  const known = await Promise.all(found.map((finding) => explained(finding, root)));
  const findings = await Promise.all(
    distinct(known.filter((one) => one !== undefined)).map((finding) => explainedYaml(finding, root)),
  );
  const unread = findings.filter(({ message }) => isOfFile.test(message));
  const broken = findings.filter(({ rule }) => structural.has(rule));
  const causes =
    [unread, withoutConsequences(broken), faults(findings)].find((some) => some.length > 0) ?? [];
  const failure = reports.length < files.length ? [await linterError(root, stderr)] : [];
  // If a file of the contract cannot be read, its operations are not known either, nor what it refers to.
  const isRead = failure.length + unread.length + broken.length === 0;
  const unused = isRead ? await unusedEntries(root) : [];
  const unlisted = unused.filter(({ file }) => /^spec\/(?:paths|webhooks)\//.test(file));
  return [
    ...failure,
    // What is not listed is also missing for those that name it.
    ...unlisted,
    ...distinct(withoutRepeats(unlisted.length > 0 ? withoutUnlisted(causes) : causes)),
    ...journeys.findings.filter(({ rule }) => isRead || rule !== unknownOperationRule),
    ...(leavesUnused(causes) ? [] : unused.filter((finding) => !unlisted.includes(finding))),
  ];
}

/** Errors that cause others: a misspelled `summary` is also reported as missing. If there are any, only they are reported. */
const structural = new Set(['struct', 'no-unresolved-refs', misplacedRule]);

const isOfFile = /^Failed to parse|^There is no \S+\.\w+\.|^\S+ is empty\.$/;

/** Removes duplicates. Of findings about a whole file, only the first is kept. */
function distinct(findings: Finding[]): Finding[] {
  const keyOf = (finding: Finding) =>
    isOfFile.test(finding.message) ? finding.message : formatFinding(finding);
  return [...new Map(findings.toReversed().map((finding) => [keyOf(finding), finding])).values()].reverse();
}

/** Redocly's rules, and our own rules that report the same error with a better message. */
const betterRules: Readonly<Record<string, string>> = {
  'security-defined': 'contract/security-stated',
  'no-invalid-media-type-examples': 'contract/error-codes',
};

function withoutRepeats(findings: Finding[]): Finding[] {
  const keyOf = ({ file, line, column }: Finding, rule: string) => `${file}:${line}:${column} ${rule}`;
  const reported = new Set(findings.map((finding) => keyOf(finding, finding.rule)));
  return findings.filter((finding) => !reported.has(keyOf(finding, betterRules[finding.rule] ?? '')));
}

/** `file:line:column rule message`. */
export function formatFinding(finding: Finding): string {
  return `${formatPlace(finding)} ${finding.rule} ${finding.message}`;
}

interface LintProblem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  suggest?: string[];
  location: { source: { ref: string }; pointer?: string; start?: { line: number; col: number } }[];
  /** For an example: the media type that was checked, if the problem is in another file. */
  from?: { source: { ref: string }; pointer: string };
}

function toFinding(problem: LintProblem, directory: string, locator: Locator): Finding {
  const { ruleId, severity, message, suggest = [], location, from } = problem;
  const [at] = location;
  const [likely] = suggest;
  const [crash, file = '', line, column] = /^(spec\/rules\/[\w-]+\.js):(\d+):(\d+) /.exec(message) ?? [];
  if (crash) {
    const failure = plainMessage(message.slice(crash.length), directory);
    return { file, line: Number(line), column: Number(column), rule: crashRule, message: failure, severity };
  }
  const schema =
    from && at?.pointer && ruleId === 'no-invalid-media-type-examples'
      ? locator.schemaOf({ file: from.source.ref, pointer: from.pointer }, pathInExample(at.pointer))
      : at?.pointer?.endsWith('/example') && ruleId === 'no-invalid-parameter-examples'
        ? locator.schemaOf({ file: at.source.ref, pointer: at.pointer.replace(/\/example$/, '') }, [])
        : undefined;
  return {
    file: at?.source.ref ?? entry,
    line: at?.start?.line ?? 1,
    column: at?.start?.col ?? 1,
    rule: message.startsWith('Failed to parse') ? yamlRule : ruleId,
    message: plainMessage(message, directory) + (likely ? ` Did you mean \`${likely}\`?` : ''),
    severity,
    ...(schema && { schema }),
  };
}

/** `#/firstPage/value/content/0/id` → `content`, `0`, `id`. */
function pathInExample(pointer: string): string[] {
  const keys = keysOf(pointer);
  return keys.slice(keys.findIndex((key) => key === 'value' || key === 'example') + 1);
}

/** Removes absolute paths and the position, which the finding has. */
function plainMessage(message: string, directory: string): string {
  return message
    .replace(/ in "[^"]*" \(\d+:\d+\)/, '')
    .replaceAll(directory, '')
    .replace(/^Can't resolve \$ref: ENOENT: no such file or directory '(.*)'$/, 'There is no $1.');
}

/** Bundles the source into one document. */
export async function bundleContract(redocly: Redocly): Promise<Contract> {
  await using directory = await temporaryDirectory('contract');
  const file = join(directory.path, 'openapi.json');
  const { code, stderr } = await redocly.run(['bundle', entry, '--output', file]);
  if (code !== 0) throw new Error(causeIn(stderr) || 'redocly bundle failed.');
  const contract: Contract = JSON.parse(await readFile(file, 'utf8'));
  completeErrorGuide(contract);
  completeDeprecations(contract);
  return contract;
}
