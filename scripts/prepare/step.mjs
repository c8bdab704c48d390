/** Runs steps that can take long, and prints progress every few seconds. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const firstLineAfter = 2_000;
const lineEvery = 5_000;

/** An error whose message is printed in one line, without a stack. */
export class Failure extends Error {}

/**
 * Runs a command in the project's root; its stdout goes to stderr.
 * @returns {Promise<{code: number, errors: string}>} `errors`: its output if `quiet`, otherwise empty.
 */
export function runStep(command, args, label, { quiet = false, env = process.env } = {}) {
  const started = Date.now();
  const output = quiet ? 'pipe' : process.stderr;
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  const printProgress = () =>
    process.stderr.write(`${label} … ${Math.round((Date.now() - started) / 1000)} s\n`);
  let timer = setTimeout(() => {
    printProgress();
    timer = setInterval(printProgress, lineEvery);
  }, firstLineAfter);
  const stop = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  let errors = '';
  const keep = (chunk) => {
    errors = (errors + chunk).slice(-100_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Failure(`${command} could not be started (${error.code})`)));
    child.once('close', (code, signal) => {
      if (signal) reject(new Failure(`${label}: stopped by ${signal}`));
      else resolve({ code, errors });
    });
  }).finally(() => {
    clearTimeout(timer);
    clearInterval(timer);
    for (const signal of signals) process.off(signal, stop);
  });
}

/** Runs the npm that runs this script, or else the one on the PATH. */
export async function runNpm(args, label) {
  const cli = process.env['npm_execpath'] ?? '';
  const isNpm = /npm-cli\.c?js$/.test(cli);
  const command = isNpm ? (process.env['npm_node_execpath'] ?? process.execPath) : 'npm';
  const flags = ['--no-audit', '--no-fund', '--no-progress', '--color=false', '--loglevel=error'];
  const full = [...(isNpm ? [cli] : []), ...args, ...flags];
  const { code, errors } = await runStep(command, full, label, { quiet: true });
  if (code !== 0) throw new Failure(`npm ${args[0]} failed: ${reasonOf(errors)}`);
}

/** npm's error message, without prefixes, stack, Node's warnings and the path of its log. */
function reasonOf(errors) {
  const noise = /^(code|errno|syscall|path|dest|command|at|A complete log)\b|^\((node:|Use `node)/;
  const lines = errors
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^(npm (error|ERR!)\s*)+/, '').trim())
    .filter((line) => line !== '' && !noise.test(line));
  return lines[0] ?? (errors.trim().split('\n').at(-1) || 'no reason given');
}
