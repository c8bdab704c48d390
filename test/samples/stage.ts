import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient } from '@wrp/client';
import { afterAll, beforeAll, vi } from 'vitest';
import { regionsOf } from '../../scripts/generate/samples/read.ts';
import type { DemoEnvironment } from '../../server/src/manifest/demo-file.ts';
import type { Database } from '../../server/src/store/database.ts';
import { demoPlatform } from '../support/demo.ts';
import { hangBound } from '../support/hang-bound.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import type { SignedMessage } from '../support/snippets/run-programs.ts';

const run = promisify(execFile);

/** What the samples of a resource run with. */
export interface SampleStage {
  database: Database;
  demo: DemoEnvironment;
  /** For setup and checks; samples have clients of their own. */
  owner: Client;
  /** Sets environment variables that samples read. */
  given(variables: Record<string, string>): void;
  /** A freshly signed webhook. */
  message(): Promise<SignedMessage>;
  /** The shell samples of a resource: each is run by its operation. */
  shell(resource: string): Promise<Shell>;
}

/** Runs a sample, which must not fail. @returns what it printed, parsed where it is JSON */
export type Shell = (operationId: string) => Promise<unknown>;

/**
 * A platform with the demo, the environment and the directory that samples run in: those of a reader who has just
 * exported the variables of the quick start. Both are as they were when the test file ends.
 */
export async function sampleStage(): Promise<SampleStage> {
  const platform = await demoPlatform();
  const { baseUrl, database, demo, variables } = platform;
  const directory = await mkdtemp(join(tmpdir(), 'wrp-samples-'));
  await writeFile(join(directory, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n');
  for (const name of ['bumper.jpg', 'policy-terms.pdf']) {
    await writeFile(join(directory, name), `the bytes of ${name}\n`);
  }
  const given = (added: Record<string, string>) => {
    for (const [name, value] of Object.entries(added)) vi.stubEnv(name, value);
  };
  given({ ...variables, HOME: directory });
  const before = process.cwd();
  beforeAll(() => process.chdir(directory));
  afterAll(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true });
  });
  return {
    ...{ database, demo, given, owner: createClient({ baseUrl, token: demo.organizationToken }) },
    message: () => capturedMessage(platform),
    async shell(resource) {
      const samples = regionsOf(await readFile(join(import.meta.dirname, `${resource}.sh`), 'utf8'));
      return async (operationId) => printed(await runInShell(samples[operationId] ?? 'false'));
    },
  };
}

async function runInShell(code: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', code], {
    timeout: hangBound(50_000),
  }).catch((error) => {
    if (error.code === 'ENOENT') throw new Error('The samples need bash, which is not on this machine.');
    if (error.code === 127) throw new Error('The samples need curl, which is not on this machine.');
    throw new Error(`${code}\n\nfailed: ${error.stderr}${error.stdout}`);
  });
  return stdout;
}

function printed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
