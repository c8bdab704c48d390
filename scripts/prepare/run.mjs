/** Runs the long steps: quiet while short, a plain line every few seconds while long, one line when they fail. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const firstLineAfter = 2_000;
const lineEvery = 5_000;

/** A failure whose message is the one line that the person needs. */
export class Failure extends Error {}

/**
 * Runs a command in the project's root; its stdout goes to stderr.
 * @returns {Promise<{code: number, errors: string}>} `errors`: what it wrote, where `quiet`.
 */
export function runStep(command, args, label, { quiet = false, env = process.env } = {}) {
  const started = Date.now();
  const output = quiet ? 'pipe' : process.stderr;
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] });
  const say = () => process.stderr.write(`${label} … ${Math.round((Date.now() - started) / 1000)} s\n`);
  let timer = setTimeout(() => {
    say();
    timer = setInterval(say, lineEvery);
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

/** Runs the npm that runs us, or the PATH's. */
export async function runNpm(args, label) {
  const cli = process.env['npm_execpath'] ?? '';
  const isNpm = /npm-cli\.c?js$/.test(cli);
  const command = isNpm ? (process.env['npm_node_execpath'] ?? process.execPath) : 'npm';
  const flags = ['--no-audit', '--no-fund', '--no-progress', '--color=false', '--loglevel=error'];
  const full = [...(isNpm ? [cli] : []), ...args, ...flags];
  const { code, errors } = await runStep(command, full, label, { quiet: true });
  if (code !== 0) throw new Failure(`npm ${args[0]} failed: ${reasonOf(errors)}`);
}

/** npm's own sentence, without its prefixes, its stack, Node's warnings and its log's address. */
function reasonOf(errors) {
  const noise = /^(code|errno|syscall|path|dest|command|at|A complete log)\b|^\((node:|Use `node)/;
  const lines = errors
    .split('\n')
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^(npm (error|ERR!)\s*)+/, '').trim())
    .filter((line) => line !== '' && !noise.test(line));
  return lines[0] ?? (errors.trim().split('\n').at(-1) || 'no reason given');
}
