import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { merged } from '../contract/lint/finding.ts';
import type { CompileError } from './report.ts';

/** The projects whose code is written against the contract. */
const projects = ['server', 'client'];
const compiler = 'node_modules/typescript-7/bin/tsc';
/** The compiler's incremental build state, so that a check covers only the files that a save affects. */
const cache = 'node_modules/.cache/design/';
const diagnostic = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;

/**
 * Checks the types of server and client. The compiler is a process that ends with the check: kept in memory it would
 * need more than everything else in the design loop.
 * @throws if the compiler cannot be run
 */
export async function typeErrors(root: URL): Promise<CompileError[]> {
  const found = (await Promise.all(projects.map((project) => check(root, project)))).flat();
  const distinct = merged(found, (error) => JSON.stringify(error)).map(({ also: _, ...error }) => error);
  return merged(distinct, ({ code, message }) => `${code} ${message}`);
}

async function check(root: URL, project: string): Promise<CompileError[]> {
  const info = `${cache}${project}.tsbuildinfo`;
  const options = [
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    info,
    '--singleThreaded',
    '--pretty',
    'false',
  ];
  const { code, output } = await run(root, [compiler, '-p', project, ...options]);
  const errors = errorsIn(output, `${project}/tsconfig.json`);
  if (code !== 0 && errors.length === 0) throw new Error(`tsc failed: ${output.trim()}`);
  return errors;
}

function run(root: URL, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

/** Indented lines continue the message above them. @param project what errors without a file are about */
function errorsIn(output: string, project: string): CompileError[] {
  const found: CompileError[] = [];
  for (const text of output.split(/\r?\n/)) {
    const [, file = project, line = '1', column = '1', code, message = ''] = diagnostic.exec(text) ?? [];
    const last = found.at(-1);
    if (code) found.push({ file, line: Number(line), column: Number(column), code, message });
    else if (last && /^\s+\S/.test(text)) last.message += ` ${text.trim()}`;
  }
  return found;
}
