import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';

/**
 * How fast files go up and down, next to the least that could do it: a bare pipe with sha256 and fsync to the same
 * disk, and a bare `pipeline(createReadStream)`. Each contender runs in a process of its own, in turns.
 *
 *     node scripts/bench/files.ts [--size <MiB>] [--rounds <n>] [--directory <on the disk to be measured>]
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1024' },
    rounds: { type: 'string', default: '5' },
    directory: { type: 'string', default: tmpdir() },
  },
});
const mebibyte = 1 << 20;
const size = Number(values.size) * mebibyte;
const rounds = Number(values.rounds);
const block = randomBytes(mebibyte);

interface Contender {
  name: string;
  direction: 'up' | 'down';
  server: Server;
  /** MiB a second, one for each round. */
  speeds: number[];
}
interface Server {
  process: ChildProcess;
  port: number;
}

const directory = await mkdtemp(join(values.directory, 'wrp-bench-'));
const servers: Server[] = [];
try {
  await compare('up', ['bare', 'ours']);
  await compare('down', ['bare', 'bare-1MiB', 'ours']);
} finally {
  for (const { process: child } of servers) child.kill();
  await rm(directory, { recursive: true, force: true });
}

/** In turns, and one direction after the other: a process that has been idle is slow at first. */
async function compare(direction: Contender['direction'], names: string[]): Promise<void> {
  const contenders: Contender[] = [];
  for (const name of names) {
    const server = await start(`${direction}-${name}`);
    servers.push(server);
    contenders.push({ name, direction, server, speeds: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { server, speeds } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const seconds = await (direction === 'up' ? upload(server.port) : download(server.port));
      speeds.push(size / mebibyte / seconds);
    }
  }
  await report(contenders);
}

async function report(contenders: Contender[]): Promise<void> {
  const bare = median(contenders[0]?.speeds ?? []);
  for (const { name, direction, server, speeds } of contenders) {
    const used = await new Promise<{ peakRss: number; cpuSeconds: number }>((resolve) => {
      server.process.once('message', (use) => resolve(use as { peakRss: number; cpuSeconds: number }));
      server.process.send('usage');
    });
    const cpu = used.cpuSeconds / ((speeds.length * size) / 2 ** 30);
    const speed = median(speeds);
    const spread = speeds.map((one) => one.toFixed(0)).join(' ');
    console.log(
      `${direction.padEnd(5)}${name.padEnd(10)}${speed.toFixed(0).padStart(5)} MiB/s  ` +
        `${(speed / bare).toFixed(2)} of bare  ${cpu.toFixed(2)} CPU s/GiB  ` +
        `peak RSS ${used.peakRss.toFixed(0)} MiB  (${spread})`,
    );
  }
}

function start(mode: string): Promise<Server> {
  const child = fork(new URL('files-server.ts', import.meta.url), [mode, directory, String(size)]);
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ process: child, port: Number(port) }));
    child.once('exit', (code) => reject(new Error(`The server ${mode} ended with ${code}.`)));
  });
}

/** Sends one file as a form; the bare server takes the form for the file. @returns seconds */
async function upload(port: number): Promise<number> {
  const before =
    '------bench-form-boundary-of-some-length\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n' +
    'Content-Type: application/octet-stream\r\n\r\n';
  const after = '\r\n------bench-form-boundary-of-some-length--\r\n';
  const body = function* () {
    yield Buffer.from(before);
    for (let sent = 0; sent < size; sent += block.length) yield block;
    yield Buffer.from(after);
  };
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=----bench-form-boundary-of-some-length',
    'Content-Length': before.length + size + after.length,
  };
  const startedAt = performance.now();
  await new Promise<void>((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`The upload was answered ${response.statusCode}.`));
      response.resume().on('end', resolve);
    });
    sending.on('error', reject);
    Readable.from(body(), { objectMode: false, highWaterMark: mebibyte }).pipe(sending);
  });
  return (performance.now() - startedAt) / 1000;
}

/** Fetches the server's file. @returns seconds */
async function download(port: number): Promise<number> {
  const startedAt = performance.now();
  const received = await new Promise<number>((resolve, reject) => {
    const fetching = request({ port, host: '127.0.0.1' }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve(bytes));
    });
    fetching.on('error', reject).end();
  });
  if (received !== size) throw new Error(`The download gave ${received} bytes.`);
  return (performance.now() - startedAt) / 1000;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
