import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const entry = 'spec/openapi.yaml';
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

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
 * Lints the source. A file that does not parse makes every reference to it a finding; only the cause is
 * given then.
 */
export async function lintContract(root: URL): Promise<Finding[]> {
  const { stdout } = await redocly(root, [
    'lint',
    entry,
    '--max-problems',
    '10000',
    '--format',
    'json',
  ]).catch((error: { stdout?: string; stderr?: string }) => {
    if (!error.stdout?.trimStart().startsWith('{')) throw new Error(error.stderr || String(error));
    return { stdout: error.stdout };
  });
  const { problems } = JSON.parse(stdout) as { problems: LintProblem[] };
  const findings = problems.map(toFinding);
  const unparsed = findings.filter(({ message }) => message.startsWith('Failed to parse'));
  const causes = unparsed.length > 0 ? unparsed : findings;
  return [...new Map(causes.map((finding) => [formatFinding(finding), finding])).values()];
}

/** `file:line:column rule message`, which terminals and editors turn into a link. */
export function formatFinding({ file, line, column, rule, message }: Finding): string {
  return `${file}:${line}:${column} ${rule} ${message}`;
}

interface LintProblem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  location: { source: { ref: string }; start?: { line: number; col: number } }[];
}

function toFinding({ ruleId, severity, message, location }: LintProblem): Finding {
  const [at] = location;
  return {
    file: at?.source.ref ?? entry,
    line: at?.start?.line ?? 1,
    column: at?.start?.col ?? 1,
    rule: ruleId,
    // The parser repeats the place, with a path of this machine.
    message: message.replace(/ in "[^"]*" \(\d+:\d+\)/, ''),
    severity,
  };
}

/** Bundles the source into one document. */
export async function bundleContract(root: URL): Promise<Contract> {
  const directory = await mkdtemp(join(tmpdir(), 'wrp-contract-'));
  try {
    const file = join(directory, 'openapi.json');
    await redocly(root, ['bundle', entry, '--output', file]);
    return JSON.parse(await readFile(file, 'utf8'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function redocly(root: URL, args: string[]) {
  const cli = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  return run(process.execPath, [cli, ...args], {
    cwd: fileURLToPath(root),
    env: environment,
    maxBuffer: 64 << 20,
  });
}
