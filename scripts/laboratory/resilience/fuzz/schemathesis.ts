import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { DemoEnvironment } from '../../../../server/src/manifest/demo-file.ts';
import { CommandError } from '../../../command-line/command.ts';

const root = join(import.meta.dirname, '../../../..');
const ownFolder = 'node_modules/.cache/schemathesis';

/**
 * Finds Schemathesis: the project's own installation, or the one on PATH.
 *
 * @throws CommandError that says how to install it
 */
export function findSchemathesis(): string {
  const folders = [join(root, ownFolder, 'bin'), ...(process.env['PATH'] ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, 'schemathesis')).find(isExecutable);
  if (found) return found;
  throw new CommandError(
    `Schemathesis is missing. Install it with: python3 -m venv ${ownFolder} && ` +
      `${ownFolder}/bin/pip install -r scripts/laboratory/resilience/fuzz/requirements.txt`,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Schemathesis follows a link with the body in OpenAPI's own keyword. */
function withLinkBodies(contract: string): string {
  return contract.replaceAll('"x-request-body":', '"requestBody":');
}

/**
 * Runs Schemathesis on the contract.
 *
 * @returns the file with its events, one JSON object a line
 * @throws CommandError with its output if it could not run
 */
export async function runSchemathesis({
  program,
  demo,
  callersFile,
  folder,
  examples,
  seed,
  signal,
}: {
  program: string;
  demo: DemoEnvironment;
  callersFile: string;
  /** For files of the run. */
  folder: string;
  examples: number;
  seed: number;
  signal: AbortSignal;
}): Promise<string> {
  const configFile = join(folder, 'schemathesis.toml');
  const reportFile = join(folder, 'report.ndjson');
  const shared = await readFile(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  const dictionary = (name: string, value: string) =>
    `\n[dictionaries.${name}]\nvalues = [${JSON.stringify(value)}]\n`;
  await writeFile(
    configFile,
    shared + dictionary('apiKey', demo.apiKey) + dictionary('apiSecret', demo.apiSecret),
  );
  const contractFile = join(folder, 'openapi.json');
  await writeFile(contractFile, withLinkBodies(await readFile(join(root, 'generated/openapi.json'), 'utf8')));
  const args = [
    '--config-file',
    configFile,
    'run',
    contractFile,
    '--url',
    demo.baseUrl,
    '--max-examples',
    String(examples),
    '--seed',
    String(seed),
    '--report-ndjson-path',
    reportFile,
    '--no-color',
  ];
  const child = spawn(program, args, {
    env: { ...process.env, FUZZ_CALLERS: callersFile },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-5_000);
    });
  const [code] = (await once(child, 'close')) as [number | null];
  // 1: a check failed, which the report says.
  if (code !== 0 && code !== 1) throw new CommandError(`schemathesis ended with ${code}:\n${output}`);
  return reportFile;
}
