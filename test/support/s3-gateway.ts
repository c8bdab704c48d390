import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../scripts/command-line/local-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's S3 service; undefined where files are stored in directories. */
    s3: S3Gateway | undefined;
  }
}

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

/** One S3 service for the run, if versitygw is installed. */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  if (!existsSync(versitygw)) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'wrp-s3-'));
  const { gateway, stop } = await startGateway(directory);
  project.provide('s3', gateway);
  return () => {
    stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

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
