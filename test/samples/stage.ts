import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient, unwrap } from '@wrp/client';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { readSamples } from '../../scripts/generate/samples/read.ts';
import type { DemoEnvironment } from '../../server/src/manifest/demo-file.ts';
import type { Database } from '../../server/src/store/database.ts';
import { demoPlatform } from '../support/demo.ts';
import { capturedMessage } from '../support/snippets/captured-message.ts';
import type { SignedMessage } from '../support/snippets/run-programs.ts';
import { scaledTimeout } from '../support/timeout.ts';
import { until } from '../support/waiting.ts';

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
  /** Makes a change in the sandbox, and lets samples call it. @returns lets them call production again */
  enterSandbox(): Promise<() => void>;
  /** The language of the samples that `run` runs. */
  language: string;
  /** Runs the sample of an operation, which must not fail. @returns what it printed, parsed where it is JSON */
  run(operationId: string): Promise<unknown>;
}

/** A language with a sample of each operation. */
export interface SampleLanguage {
  language: string;
  /** The command that runs a sample. */
  commandOf(operationId: string): [program: string, ...args: string[]];
}

/** The samples in the shell scripts of this directory. */
export async function curlSamples(): Promise<SampleLanguage> {
  const { shell } = await readSamples(import.meta.dirname);
  return {
    language: 'cURL',
    commandOf: (operationId) => ['bash', '-euo', 'pipefail', '-c', shell[operationId] ?? 'false'],
  };
}

/**
 * A platform with the demo, the environment and the directory that samples run in: those of a reader who has just
 * exported the variables of the quick start. Both are as they were when the test file ends.
 */
async function sampleStage(): Promise<Omit<SampleStage, 'language' | 'run'>> {
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
    database,
    demo,
    given,
    owner: createClient({ baseUrl, token: demo.organizationToken }),
    message: () => capturedMessage(platform),
    enterSandbox: async () => {
      const { baseUrl, demo } = platform.environments.sandbox;
      given({ WRP_BASE_URL: baseUrl, WRP_TOKEN: demo.organizationToken });
      const client = createClient({ baseUrl, token: demo.organizationToken });
      const body = { workflowDefinitionId: demo.workflowDefinitionId };
      await unwrap(client.POST('/workflows', { body }));
      // A worker records it, which takes its time on a busy machine.
      const query = { since: 3600, wait: 20 };
      await until(async () => {
        const { events } = await unwrap(client.GET('/webhooks/events', { params: { query } }));
        return events.length > 0;
      });
      return () => given(variables);
    },
  };
}

/**
 * Describes the tests of all samples, with the cURL samples replaced by those of a language. One platform serves them all:
 * to start one takes longer than its samples.
 */
export async function describeSamples(language: SampleLanguage): Promise<void> {
  const stage = { ...(await sampleStage()), ...runnerOf(language) };
  const resources = [...new Set(Object.values(operations).map(({ resource }) => resource))];
  describe.each(resources)('the samples of %s', async (resource) => {
    const [samples] = Object.values(await import(`./${resource}.ts`)) as ((
      stage: SampleStage,
    ) => Promise<void>)[];
    await samples?.(stage);
  });
}

function runnerOf({ language, commandOf }: SampleLanguage): Pick<SampleStage, 'language' | 'run'> {
  return {
    language,
    async run(operationId) {
      const [program, ...args] = commandOf(operationId);
      const { stdout } = await run(program, args, { timeout: scaledTimeout(50_000) }).catch((error) => {
        if (error.code === 'ENOENT')
          throw new Error(`The samples need ${program}, which is not on this machine.`);
        if (error.code === 127) throw new Error('The samples need curl, which is not on this machine.');
        throw new Error(`${args.at(-1)}\n\nfailed: ${error.stderr}${error.stdout}`);
      });
      return printed(stdout);
    },
  };
}

function printed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
