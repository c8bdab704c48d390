import { type Config, readConfig } from '../../../server/src/config.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import type { Contract } from '../../contract/source.ts';
import type { RunningMock } from '../run.ts';
import { makeDirectory } from './directory.ts';
import { openStatefulMock } from './mock.ts';

/** The platform's settings that change what a frontend sees; everything else is the mock's own to decide. */
const heeded = [
  'PUBLIC_URL',
  'MAX_UPLOAD_BYTES',
  'ATTACHMENT_LINK_MINUTES',
  'RATE_LIMIT_PER_MINUTE',
  'AUTH_RATE_LIMIT_PER_MINUTE',
  'UPLOAD_RATE_LIMIT_PER_MINUTE',
  'LOG_LEVEL',
];
/** A suite of a frontend's tests is quicker than people are. */
const wide = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  AUTH_RATE_LIMIT_PER_MINUTE: '1000000',
  UPLOAD_RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

/**
 * Starts a mock with state in a temporary directory that is gone when the process ends, however it ends.
 *
 * @throws an error with one line where a setting, the directory or the database stands in the way
 */
export async function runStateful({
  contract,
  baseUrl,
  webhookUrl,
}: {
  contract: Contract;
  baseUrl: string;
  webhookUrl: string | undefined;
}): Promise<RunningMock> {
  const directory = makeDirectory();
  process.once('exit', directory.remove);
  const config = mockConfig(process.env, directory.path);
  const mock = await openStatefulMock({
    ...{ contract, webhookUrl, config, directory: directory.path },
    baseUrl: config.publicUrls.production ?? baseUrl,
    logger: openLogger(config.logLevel, { write: (line) => void process.stderr.write(line) }),
    progress: (line) => console.error(`${line} …`),
  });
  return {
    ...mock,
    async close() {
      await mock.close();
      directory.remove();
    },
  };
}

/** @throws ConfigError that names the variable and what it takes */
export function mockConfig(env: NodeJS.ProcessEnv, directory: string): Config {
  const given = heeded.filter((name) => env[name]).map((name) => [name, env[name]]);
  return readConfig({
    ...wide,
    ...Object.fromEntries(given),
    DATA_DIR: directory,
    // A receiver of webhooks is most likely on this very machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
}
