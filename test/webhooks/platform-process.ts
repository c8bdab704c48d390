/**
 * A platform as a process of its own, so that tests can kill it. Prints its addresses as one line of JSON once it
 * serves. Takes the database's address and a data directory.
 */

import { loadContract } from '../../server/contract/index.ts';
import { readConfig } from '../../server/src/config.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { servePlatform } from '../../server/src/server.ts';

const [databaseUrl = '', dataDirectory = ''] = process.argv.slice(2);
const config = readConfig({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDirectory,
  SERVER_KEY: 'test'.repeat(11),
  PORT: '0',
  SANDBOX_PORT: '0',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  RATE_LIMIT_PER_MINUTE: '1000000',
});
// Before connections are opened, which would time out on a busy machine.
const contract = await loadContract(new URL('../../generated/openapi.json', import.meta.url));
const server = await servePlatform({
  config,
  loadContract: async () => contract,
  logger: openLogger('error'),
  progress: () => {},
  openPortal: () => Promise.reject(new Error('There is no portal here.')),
});
process.once('SIGTERM', () => void server.close().then(() => process.exit(0)));
console.log(JSON.stringify(server.baseUrls));
