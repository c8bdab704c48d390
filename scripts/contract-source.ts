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

/** Lints the source. @returns the findings as text for a person, or undefined where there are none. */
export async function lintContract(root: URL): Promise<string | undefined> {
  try {
    await redocly(root, ['lint', entry, '--max-problems', '1000', '--format', 'stylish']);
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}`;
  }
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
