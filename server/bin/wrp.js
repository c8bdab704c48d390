#!/usr/bin/env node
// Plain JavaScript for any Node: the program itself is TypeScript, which the Node that npm brought runs as it is.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtimeBinary } from './runtime.js';

const server = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(server, 'src', 'cli', 'main.ts');
const isRecent = Number(process.versions.node.split('.')[0]) >= 24;

if (isRecent) {
  // Compiled once, it starts in half the time.
  module.enableCompileCache(join(dirname(server), 'node_modules', '.cache', 'node'));
  await import(program);
} else {
  const node = [server, dirname(server)].map(runtimeBinary).find((file) => existsSync(file));
  if (node) {
    runWith(node);
  } else {
    console.error(`wrp needs Node 24, this is ${process.version}: run "npm install" in ${dirname(server)}.`);
    process.exitCode = 1;
  }
}

function runWith(node) {
  // The channel tells the program when this process has ended, even by SIGKILL.
  const child = spawn(node, [program, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends its signals to both; the child decides what to do about them.
    process.on(signal, () => signal === 'SIGINT' || child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`wrp cannot start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
