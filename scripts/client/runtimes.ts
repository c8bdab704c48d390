/** Runs the packed client in Node, Deno and Bun. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '../../server/src/config.ts';
import { loadContract } from '../../server/src/contract/index.ts';
import { type DemoOutcome, prepareDemo } from '../../server/src/manifest/demo.ts';
import type { DemoFile } from '../../server/src/manifest/demo-file.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { type PlatformServer, servePlatform } from '../../server/src/server.ts';
import { command, InvalidArgumentError, run } from '../command-line/command.ts';
import { freshPortal } from '../portal/fresh-portal.ts';
import { installPackedClient } from './package.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Runtime {
  /** The npm package; absent for the current Node. */
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

interface RuntimeResult {
  runtime: string;
  outcome: 'passed' | 'failed' | 'not installed';
  /** The version of the runtime, and the error. */
  detail: string;
}

async function runIn(
  name: string,
  runtime: Runtime,
  application: string,
  environment: object,
): Promise<RuntimeResult> {
  const bin = join(application, `runtime-${name.replaceAll(' ', '-')}`, 'node_modules/.bin');
  const executable = runtime.install ? join(bin, runtime.command) : runtime.command;
  try {
    if (runtime.install) await install(runtime.install, join(bin, '../..'));
    await execute(executable, ['--version']);
  } catch (error) {
    return { runtime: name, outcome: 'not installed', detail: lastLine(error) };
  }
  const { stdout } = await execute(executable, ['--version']);
  const [version = ''] = /\d+\.\d+\.\d+/.exec(stdout) ?? [];
  try {
    const program = join(application, 'on-a-machine.mjs');
    const options = { env: { ...process.env, ...environment }, cwd: application, timeout: 60_000 };
    const { actual, expected } = JSON.parse(
      (await execute(executable, [...runtime.arguments, program], options)).stdout,
    );
    const wrong = Object.keys(expected).filter((step) => actual[step] !== expected[step]);
    if (wrong.length === 0) return { runtime: name, outcome: 'passed', detail: version };
    const differences = wrong.map((step) => `${step}: ${actual[step]} instead of ${expected[step]}`);
    return { runtime: name, outcome: 'failed', detail: `${version}: ${differences.join('; ')}` };
  } catch (error) {
    return { runtime: name, outcome: 'failed', detail: `${version}: ${lastLine(error)}` };
  }
}

async function install(name: string, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--no-save', '--prefix', directory];
  await execute('npm', ['install', ...options, name], { timeout: 180_000 });
}

function lastLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  const lines = (stderr || message).split('\n').filter((line) => /error/i.test(line));
  return lines.at(0)?.trim() ?? message.split('\n')[0] ?? '';
}

/** Starts a new platform with the demo. @returns also the environment variables for the program that calls it */
async function startPlatform(dataDirectory: string): Promise<{ server: PlatformServer; variables: object }> {
  const budgets = { requests: 100_000, uploads: 100_000, signIns: 100_000 };
  let demo: DemoOutcome | undefined;
  const server = await servePlatform({
    config: { ...readConfig({ DATA_DIR: dataDirectory }), ports: { production: 0, sandbox: 0 }, budgets },
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
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

const cli = command('client:runtimes')
  .description(`Runs the packed client in Node (this version and 22), Deno and Bun, if npm can install them, against a platform
of its own, and prints one line for each. Exit code 1: it failed in one of them.`)
  .option('--only <names>', `only these, comma-separated: ${Object.keys(runtimes).join(', ')}`, runtimesOf)
  .option('--json', 'print [{runtime, outcome, detail}]')
  .action(async ({ only = Object.keys(runtimes), json }) => {
    const directory = await mkdtemp(join(tmpdir(), 'wrp-runtimes-'));
    const application = join(directory, 'application');
    const results: RuntimeResult[] = [];
    try {
      await installPackedClient(application);
      await cp(join(root, 'test/client/journeys/installed'), application, { recursive: true });
      const { server, variables } = await startPlatform(join(directory, 'data'));
      try {
        for (const [name, runtime] of Object.entries(runtimes)) {
          if (!only.includes(name)) continue;
          const result = await runIn(name, runtime, application, variables);
          results.push(result);
          if (!json) console.log(`${name.padEnd(8)} ${result.outcome.padEnd(14)} ${result.detail}`);
        }
      } finally {
        await server.close();
      }
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
    if (json) console.log(JSON.stringify(results, null, 2));
    if (results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
  });

await run(cli);

function runtimesOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(name in runtimes));
  if (unknown.length === 0) return names;
  throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}.`);
}
