/**
 * Walks through the journey of the client's tests with the packed client in every runtime that npm can install here,
 * against a platform of its own.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { readConfig } from '../../server/src/config.ts';
import { loadContract } from '../../server/src/contract/index.ts';
import { openLogger } from '../../server/src/logger.ts';
import { type DemoOutcome, prepareDemo } from '../../server/src/platform/demo.ts';
import type { DemoFile } from '../../server/src/platform/demo-file.ts';
import { type PlatformServer, servePlatform } from '../../server/src/platform-server.ts';
import { freshPortal } from '../portal/fresh-portal.ts';
import { installPackedClient } from './package.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Runtime {
  /** As npm knows it; absent for the one that runs this. */
  install?: string;
  command: string;
  arguments: string[];
}

const runtimes: Record<string, Runtime> = {
  node: { command: process.execPath, arguments: [] },
  'node 22': { install: 'node@22', command: 'node', arguments: [] },
  deno: {
    install: 'deno@2',
    command: 'deno',
    arguments: ['run', '--allow-all', '--node-modules-dir=manual'],
  },
  bun: { install: 'bun@1', command: 'bun', arguments: ['run'] },
};

export interface Walk {
  runtime: string;
  outcome: 'passed' | 'failed' | 'not installed';
  /** Its version, or what went wrong. */
  detail: string;
}

const usage = `Usage: node scripts/client/runtimes.ts [options]

Runs the packed client in Node (this one and 22), Deno and Bun, as far as npm can install them, and prints a line
for each. Fails if it fails in one of them.

  --only <names>  only these, comma-separated: ${Object.keys(runtimes).join(', ')}
  --json          as JSON
  --help          this text`;

async function walk(name: string, runtime: Runtime, application: string, environment: object): Promise<Walk> {
  const bin = join(application, `runtime-${name.replaceAll(' ', '-')}`, 'node_modules/.bin');
  const command = runtime.install ? join(bin, runtime.command) : runtime.command;
  try {
    if (runtime.install) await install(runtime.install, join(bin, '../..'));
    await run(command, ['--version']);
  } catch (error) {
    return { runtime: name, outcome: 'not installed', detail: lastLine(error) };
  }
  const { stdout } = await run(command, ['--version']);
  const [version = ''] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
  try {
    const program = join(application, 'on-a-machine.mjs');
    const given = { env: { ...process.env, ...environment }, cwd: application, timeout: 60_000 };
    const { actual, expected } = JSON.parse(
      (await run(command, [...runtime.arguments, program], given)).stdout,
    );
    const wrong = Object.keys(expected).filter((step) => actual[step] !== expected[step]);
    if (wrong.length === 0) return { runtime: name, outcome: 'passed', detail: version };
    const told = wrong.map((step) => `${step} gave ${actual[step]} instead of ${expected[step]}`);
    return { runtime: name, outcome: 'failed', detail: `${version}: ${told.join('; ')}` };
  } catch (error) {
    return { runtime: name, outcome: 'failed', detail: `${version}: ${lastLine(error)}` };
  }
}

async function install(name: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-save', '--prefix', directory];
  await run('npm', ['install', ...options, name], { timeout: 180_000 });
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const lines = (stderr || message).split('\n').filter((line) => /error/i.test(line));
  return lines.at(0)?.trim() ?? message.split('\n')[0] ?? '';
}

/** A fresh platform with the demo, and what the journey finds in its environment. */
async function startPlatform(dataDirectory: string): Promise<{ server: PlatformServer; variables: object }> {
  const budgets = { requests: 100_000, uploads: 100_000, signIns: 100_000 };
  let demo: DemoOutcome | undefined;
  const server = await servePlatform({
    config: { ...readConfig({ DATA_DIR: dataDirectory }), ports: { production: 0, sandbox: 0 }, budgets },
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
    logger: openLogger('silent'),
    progress: (line) => console.error(line),
    openPortal: freshPortal,
    prepare: async ({ environments }, baseUrls) => {
      const [production, sandbox] = environments.map(({ name, database }) => ({
        database,
        baseUrl: baseUrls[name],
      }));
      if (!production || !sandbox) return;
      demo = await prepareDemo({ environments: { production, sandbox }, dataDirectory });
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

async function main(): Promise<void> {
  const options = { only: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ options });
  if (values.help) return console.log(usage);
  const only = values.only?.split(',').map((name) => name.trim());
  const unknown = only?.filter((name) => !(name in runtimes)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no runtime ${unknown.join(', ')}: see --help.`);
  const directory = await mkdtemp(join(tmpdir(), 'wrp-runtimes-'));
  const application = join(directory, 'application');
  const walks: Walk[] = [];
  try {
    await installPackedClient(application);
    await cp(join(root, 'test/client/journeys/installed'), application, { recursive: true });
    const { server, variables } = await startPlatform(join(directory, 'data'));
    try {
      for (const [name, runtime] of Object.entries(runtimes)) {
        if (only && !only.includes(name)) continue;
        const done = await walk(name, runtime, application, variables);
        walks.push(done);
        if (!values.json) console.log(`${name.padEnd(8)} ${done.outcome.padEnd(14)} ${done.detail}`);
      }
    } finally {
      await server.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  if (values.json) console.log(JSON.stringify(walks, null, 2));
  if (walks.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
