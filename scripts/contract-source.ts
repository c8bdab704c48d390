import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRedocly, type Redocly } from './redocly/redocly.ts';

const entry = 'spec/openapi.yaml';

/** An OpenAPI 3.1 document in one piece: every `$ref` points into the document itself. */
export type Contract = {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  webhooks?: Record<string, Record<string, unknown>>;
  components: Record<string, Record<string, unknown>>;
  [key: string]: unknown;
};

/** One thing that the linter found, where the designer wrote it. */
export interface Finding {
  /** Relative to the project's root. */
  file: string;
  line: number;
  column: number;
  rule: string;
  message: string;
  severity: 'error' | 'warn';
}

/**
 * Lints the source. A file that does not parse, or is not there, makes every reference to it a finding, and more
 * behind those; only the cause is given then, once.
 * @param redocly one that is open already; without it, one is opened and closed
 */
export async function lintContract(root: URL, redocly?: Redocly): Promise<Finding[]> {
  const options = ['--max-problems', '10000', '--format', 'json'];
  const { stdout, stderr } = await running(root, redocly, ['lint', entry, ...options]);
  if (!stdout.trimStart().startsWith('{')) throw new Error(faultIn(stderr) || 'redocly lint gave no report.');
  const { problems } = JSON.parse(stdout) as { problems: LintProblem[] };
  const findings = problems.map((problem) => toFinding(problem, fileURLToPath(root)));
  const causes = findings.filter(({ message }) => isOfFile.test(message));
  return distinct(causes.length > 0 ? causes : findings);
}

const isOfFile = /^Failed to parse|^There is no /;

/** Each finding once; what is said of a whole file is said at the first place alone. */
function distinct(findings: Finding[]): Finding[] {
  const keyOf = (finding: Finding) =>
    isOfFile.test(finding.message) ? finding.message : formatFinding(finding);
  return [...new Map(findings.toReversed().map((finding) => [keyOf(finding), finding])).values()].reverse();
}

/** `file:line:column rule message`, which terminals and editors turn into a link. */
export function formatFinding({ file, line, column, rule, message }: Finding): string {
  return `${file}:${line}:${column} ${rule} ${message}`;
}

interface LintProblem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  suggest?: string[];
  location: { source: { ref: string }; start?: { line: number; col: number } }[];
}

function toFinding(problem: LintProblem, directory: string): Finding {
  const { ruleId, severity, message, suggest = [], location } = problem;
  const [at] = location;
  const [likely] = suggest;
  return {
    file: at?.source.ref ?? entry,
    line: at?.start?.line ?? 1,
    column: at?.start?.col ?? 1,
    rule: ruleId,
    message: plainMessage(message, directory) + (likely ? ` Did you mean \`${likely}\`?` : ''),
    severity,
  };
}

/** Without paths of this machine: the parser repeats the place. */
function plainMessage(message: string, directory: string): string {
  return message
    .replace(/ in "[^"]*" \(\d+:\d+\)/, '')
    .replaceAll(directory, '')
    .replace(/^Can't resolve \$ref: ENOENT: no such file or directory '(.*)'$/, 'There is no $1.');
}

/** Bundles the source into one document. @param redocly as for lintContract */
export async function bundleContract(root: URL, redocly?: Redocly): Promise<Contract> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-contract-'));
  try {
    const file = join(directory, 'openapi.json');
    const { code, stderr } = await running(root, redocly, ['bundle', entry, '--output', file]);
    if (code !== 0) throw new Error(faultIn(stderr) || 'redocly bundle failed.');
    return JSON.parse(await readFile(file, 'utf8'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function running(root: URL, given: Redocly | undefined, args: string[]) {
  const redocly = given ?? openRedocly(root);
  try {
    return await redocly.run(args);
  } finally {
    if (!given) redocly.close();
  }
}

/** What a command says went wrong, without colours and without what it says of its progress. */
function faultIn(stderr: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
  const lines = stderr.replaceAll(/\u001b\[[\d;]*m/g, '').split('\n');
  return lines.filter((line) => line.trim() !== '' && !/^(?:bundling|validating) /.test(line)).join('\n');
}
