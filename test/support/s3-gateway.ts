import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { type S3Gateway, startGateway, versitygw } from '../../scripts/laboratory/s3-gateway.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's S3 service; undefined where files are stored in directories. */
    s3: S3Gateway | undefined;
  }
}

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
