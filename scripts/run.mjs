/**
 * Prepares the clone and then becomes the program that is named: what every npm script starts. It runs on the machine's
 * own Node (20 or newer) and with nothing installed, so it is plain JavaScript without dependencies.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { portInUse } from './prepare/ports.mjs';
import { prepare } from './prepare/prepare.mjs';

const usage = `Usage: node scripts/run.mjs [--no-generate | --portal] [--ports] [--help] [program] [argument...]

Installs the packages of package-lock.json that are missing, links this system's Node as node_modules/.bin/node, and
regenerates generated/ if spec/ has changed. Then runs the program, a JavaScript or TypeScript file, with that Node.

  --no-generate  leave generated/ as it is
  --portal       also build the portal if it is out of date; if that fails, print one line and go on
  --ports        first check that PORT and SANDBOX_PORT are free, unless the program is asked for its --help

Exit codes: that of the program · without one: 0 ready · 1 not ready, with the reason in one line on stderr
`;

const options = ['--no-generate', '--portal', '--ports', '--help', '-h'];
const given = process.argv.slice(2);
const first = given.findIndex((argument) => !argument.startsWith('-'));
const flags = first < 0 ? given : given.slice(0, first);
const program = first < 0 ? [] : given.slice(first);
const unknown = flags.find((flag) => !options.includes(flag));

if (unknown !== undefined) fail(`unknown option ${unknown}`);
else if (flags.includes('--help') || flags.includes('-h')) process.stdout.write(usage);
else {
  const isHelp = program.includes('--help') || program.includes('-h');
  const taken = flags.includes('--ports') && !isHelp ? await portInUse(process.env) : undefined;
  if (taken) {
    process.stderr.write(`${taken}\n`);
    process.exit(1);
  }
  const wanted = { generate: !flags.includes('--no-generate'), portal: flags.includes('--portal') };
  const runtime = await prepare(wanted).catch((error) => fail(error?.message ?? String(error)));
  if (runtime && program.length > 0) become(runtime, program);
}

function fail(reason) {
  process.stderr.write(`prepare: ${reason}\n`);
  process.exitCode = 1;
}

/** Replaces this process, so that signals reach the program and its exit code the caller, where Node can do so. */
function become(runtime, args) {
  const cache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));
  const env = { ...process.env, NODE_COMPILE_CACHE: cache };
  if (process.execve && process.platform !== 'win32') process.execve(runtime, [runtime, ...args], env);
  else runAsChild(runtime, args, env);
}

/** The first run in a clone on an older Node, and Windows: forwards signals, and ends as the program does. */
function runAsChild(runtime, args, env) {
  // In the terminal's process group, the program would receive Ctrl+C twice.
  const detached = process.platform !== 'win32';
  const child = spawn(runtime, args, { env, stdio: 'inherit', detached });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(`${runtime} could not be started (${error.code})`));
  child.once('exit', (code, signal) => {
    for (const handled of signals) process.removeAllListeners(handled);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}
