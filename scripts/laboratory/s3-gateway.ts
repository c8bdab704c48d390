import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { freePort } from '../command-line/local-server.ts';

/** A running versitygw, which stores the objects of its buckets as files. */
export interface S3Gateway {
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Contains a directory for each bucket. */
  directory: string;
}

/** versitygw, an S3-compatible server. `.ci/run` installs it. */
export const versitygw = resolve(
  import.meta.dirname,
  '../..',
  process.env['VERSITYGW'] || 'node_modules/.cache/versitygw/versitygw',
);

/** Starts versitygw on a directory and waits until it accepts connections. */
export async function startGateway(
  directory: string,
): Promise<{ gateway: S3Gateway; stop(signal?: NodeJS.Signals): void }> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test'.repeat(8) };
  const address = `127.0.0.1:${await freePort()}`;
  const access = ['--access', credentials.accessKeyId, '--secret', credentials.secretAccessKey];
  const child = spawn(
    versitygw,
    [...access, '--port', address, '--keep-alive', '--quiet', 'posix', directory],
    {
      stdio: 'ignore',
    },
  );
  const gateway = { endpoint: `http://${address}`, credentials, directory };
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const ready = await fetch(gateway.endpoint).then(
      () => true,
      () => false,
    );
    if (ready) return { gateway, stop: (signal) => void child.kill(signal) };
    await new Promise((done) => setTimeout(done, 50));
  }
  child.kill();
  throw new Error('versitygw did not start.');
}
