import { type Config, readConfig } from '../../../server/src/config.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import type { MockOptions } from '../listener.ts';
import { makeDirectory } from './directory.ts';
import type { StatefulMock, StatefulOptions } from './mock.ts';
import { type MockPostgresOptions, startMockPostgres } from './postgres.ts';

/** The platform's settings that a frontend notices. The mock decides all others. */
const passedOn = [
  'PUBLIC_URL',
  'MAX_UPLOAD_BYTES',
  'ATTACHMENT_LINK_MINUTES',
  'RATE_LIMIT_PER_MINUTE',
  'AUTH_RATE_LIMIT_PER_MINUTE',
  'UPLOAD_RATE_LIMIT_PER_MINUTE',
  'REFUSED_ATTEMPTS_PER_MINUTE',
  'LOG_LEVEL',
];
/** The tests of a frontend send many requests. */
const defaults = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  AUTH_RATE_LIMIT_PER_MINUTE: '1000000',
  UPLOAD_RATE_LIMIT_PER_MINUTE: '1000000',
  REFUSED_ATTEMPTS_PER_MINUTE: '1000000',
  LOG_LEVEL: 'error',
};

export interface StatefulRun
  extends Pick<MockOptions, 'webhookUrl' | 'allowTarget' | 'seed'>,
    Pick<StatefulOptions, 'contract' | 'baseUrl' | 'portal' | 'page' | 'warn'> {
  /** Called with what it does while it starts. */
  onProgress(line: string): void;
  /** Where to keep the empty database. Default: that of the sources. */
  kept?: Pick<MockPostgresOptions, 'cache' | 'key'>;
}

/**
 * Starts a mock with state in a temporary directory, which is removed at the end.
 *
 * @throws an error of one line if a setting is invalid, or the directory or the database cannot be used
 */
export async function runStateful({
  contract,
  baseUrl,
  kept = {},
  webhookUrl,
  allowTarget,
  seed,
  onProgress: progress,
  warn,
  ...served
}: StatefulRun): Promise<StatefulMock> {
  const directory = makeDirectory();
  process.once('exit', directory.remove);
  const targets = [...allowTarget, ...(webhookUrl ? [new URL(webhookUrl).origin] : [])];
  const config = mockConfig(process.env, directory.path, targets);
  // Starting the database takes about as long as loading the platform.
  const postgres = startMockPostgres({
    dataDirectory: directory.path,
    progress,
    ...kept,
  });
  // Reported below.
  postgres.catch(() => {});
  const { openStatefulMock } = await import('./mock.ts');
  const mock = await openStatefulMock({
    contract,
    postgres,
    webhookUrl,
    seed,
    config,
    directory: directory.path,
    baseUrl: config.publicUrls.production ?? baseUrl,
    logger: openLogger(config.logLevel, { write: (line) => void process.stderr.write(line) }),
    progress,
    warn,
    ...served,
  });
  return {
    ...mock,
    async close() {
      await mock.close();
      directory.remove();
    },
  };
}

/**
 * @param targets origins that may be called although their addresses are not public
 * @throws {ConfigError} that names the variable and its valid values
 */
export function mockConfig(
  env: NodeJS.ProcessEnv,
  directory: string,
  targets: readonly string[] = [],
): Config {
  const settings = passedOn.filter((name) => env[name]).map((name) => [name, env[name]]);
  return readConfig({
    ...defaults,
    ...Object.fromEntries(settings),
    DATA_DIR: directory,
    WEBHOOK_ALLOW_PRIVATE: targets.join(','),
  });
}
