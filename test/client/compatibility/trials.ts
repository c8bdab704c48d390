/** Programs that call a platform of their own, with the demo: one line for each. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InvalidArgumentError } from '../../../scripts/command-line/command.ts';
import { temporaryDirectory } from '../../../scripts/command-line/temporary-directory.ts';
import { freshPortal } from '../../../scripts/prepare/built-portal.ts';
import { loadContract } from '../../../server/contract/index.ts';
import { readConfig } from '../../../server/src/config.ts';
import { type DemoOutcome, prepareDemo } from '../../../server/src/manifest/demo.ts';
import type { DemoFile } from '../../../server/src/manifest/demo-file.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import { type PlatformServer, servePlatform } from '../../../server/src/server.ts';

export const execute = promisify(execFile);

export interface TrialResult {
  outcome: 'passed' | 'failed' | 'not installed' | 'skipped';
  /** The version of what was tried, and the error. */
  detail: string;
}

export interface Place {
  /** Removed afterwards. */
  directory: string;
  /** The environment variables for the program: `BASE_URL`, `TOKEN` and others of the demo. */
  variables: Record<string, string>;
}

/**
 * Runs trials one after the other, and prints a line for each. Exit code 1: one of them failed.
 *
 * @param prepare runs first, in the directory of the trials
 */
export async function runTrials(
  trials: Record<string, (place: Place) => Promise<TrialResult>>,
  { only, json, prepare }: { only: string[]; json: boolean; prepare?: (directory: string) => Promise<void> },
): Promise<void> {
  await using temporary = await temporaryDirectory('trials');
  const { path: directory } = temporary;
  const results: ({ name: string } & TrialResult)[] = [];
  await prepare?.(directory);
  const { server, variables } = await startPlatform(join(directory, 'data'));
  try {
    for (const name of only) {
      const result = await trials[name]?.({ directory, variables });
      if (!result) continue;
      results.push({ name, ...result });
      if (!json) console.log(`${name.padEnd(30)} ${result.outcome.padEnd(14)} ${result.detail}`);
    }
  } finally {
    await server.close();
  }
  if (json) console.log(JSON.stringify(results, null, 2));
  if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}

/** For an option: names of trials, comma-separated. */
export function namesIn(known: readonly string[]) {
  return (text: string): string[] => {
    const names = text.split(',').map((name) => name.trim());
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length === 0) return names;
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}.`);
  };
}

/** Installs npm packages into a directory outside of the project. */
export async function install(names: readonly string[], directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-save', '--prefix', directory];
  await execute('npm', ['install', ...options, ...names], { timeout: 180_000 });
}

/** The line of a failed program that names the error. */
export function errorLine(error: unknown): string {
  const { stdout, stderr, message } = error as { stdout?: string; stderr?: string; message: string };
  const lines = (stderr || stdout || message).split('\n').filter((line) => /error/i.test(line));
  return lines.at(0)?.trim() ?? message.split('\n')[0] ?? '';
}

/** Starts a new platform with the demo. @returns also the environment variables for the program that calls it */
async function startPlatform(
  dataDirectory: string,
): Promise<{ server: PlatformServer; variables: Record<string, string> }> {
  const budgets = { requests: 100_000, uploads: 100_000, signIns: 100_000 };
  let demo: DemoOutcome | undefined;
  const server = await servePlatform({
    config: { ...readConfig({ DATA_DIR: dataDirectory }), ports: { production: 0, sandbox: 0 }, budgets },
    loadContract: () => loadContract(new URL('../../../generated/openapi.json', import.meta.url)),
    logger: openLogger('silent'),
    progress: (line) => console.error(line),
    openPortal: freshPortal,
    prepare: async ({ environments, serverKey }, served) => {
      demo = await prepareDemo({ environments, serverKey, ...served, dataDirectory });
    },
  });
  const { file } = demo as unknown as { file: DemoFile };
  const { organizationToken, apiKey, apiSecret, tableId, recordId, workflowDefinitionId } = file.production;
  const variables = {
    ...{ BASE_URL: server.baseUrls.production, TOKEN: organizationToken },
    ...{ API_KEY: apiKey, API_SECRET: apiSecret },
    ...{ TABLE_ID: tableId, RECORD_ID: recordId, DEFINITION_ID: workflowDefinitionId },
  };
  return { server, variables };
}
