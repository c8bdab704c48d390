import { ConfigError, readConfig } from './config.ts';
import { ListenError } from './listen.ts';
import { openLogger } from './logger.ts';
import { servePlatform } from './platform-server.ts';
import { PostgresStartError } from './postgres/start-error.ts';
import { MigrationError } from './store/migrate.ts';

/** Failures that the operator can mend: told in one line. Everything else is a fault of ours, told whole. */
const explained = [ConfigError, ListenError, PostgresStartError, MigrationError];

try {
  const config = readConfig(process.env);
  const logger = openLogger(config.logLevel);
  const contractFile = new URL('../../generated/openapi.json', import.meta.url);
  const server = await servePlatform({
    config,
    logger,
    contractFile,
    progress: (line) => console.error(line),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      void server.close().then(() => process.exit(0));
    });
  }
} catch (error) {
  const known = explained.some((kind) => error instanceof kind);
  console.error(known ? (error as Error).message : error);
  process.exit(1);
}
