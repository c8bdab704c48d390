import { loadContract } from '../../../server/contract/index.ts';
import { findPostgres } from '../../../server/embedded-postgres/index.ts';
import type { OnStatement } from '../../../server/postgres-client/index.ts';
import { readConfig } from '../../../server/src/config.ts';
import type { EnvironmentDependencies } from '../../../server/src/dependencies.ts';
import { type DemoOutcome, prepareDemo } from '../../../server/src/manifest/demo.ts';
import { openLogger } from '../../../server/src/observability/logger.ts';
import { servePlatform } from '../../../server/src/server.ts';
import { type Definitions, insertDefinitions } from './executions/rows.ts';

/** What a caller of one environment needs. */
export interface Environment {
  baseUrl: string;
  token: string;
  definitions: Definitions;
}

/**
 * Serves the whole platform from a directory, with its demo, the definitions of the
 * benchmark and its own PostgreSQL, on free ports.
 *
 * @param options `connections`: of all its pools. Default: the platform's
 */
export async function openPlatform(
  directory: string,
  { onStatement, connections }: { onStatement?: OnStatement; connections?: number } = {},
) {
  let demo: DemoOutcome | undefined;
  const platform = await servePlatform({
    config: readConfig({
      DATA_DIR: directory,
      PORT: '0',
      SANDBOX_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000',
      ...(connections && { DATABASE_CONNECTIONS: String(connections) }),
    }),
    loadContract: () => loadContract(new URL('../../../generated/openapi.json', import.meta.url)),
    logger: openLogger('error'),
    progress: () => {},
    openPortal: () => Promise.reject(new Error('The benchmark has no portal.')),
    prepare: async ({ environments, serverKey }, served) => {
      // Without the objects of the examples: one of them is an execution that runs for weeks.
      const contract = { ...served.contract, paths: {} };
      demo = await prepareDemo({ environments, serverKey, ...served, contract, dataDirectory: directory });
    },
    onStatement,
  });
  const [production, sandbox] = platform.dependencies.environments;
  if (!production || !sandbox) throw new Error('The platform must serve two environments.');
  if (demo === undefined || demo.kind === 'absent') throw new Error('The platform must have its demo.');
  const { file } = demo;
  const environmentOf = async ({ name, database }: EnvironmentDependencies): Promise<Environment> => ({
    baseUrl: platform.baseUrls[name],
    token: file[name].organizationToken,
    definitions: await insertDefinitions(database, file[name].workspaceId),
  });
  const server = await findPostgres({ dataDirectory: directory });
  return {
    production,
    sandbox,
    demo: file,
    about: {
      /** The URL of its database. */
      connection: server?.connectionString as string,
      production: await environmentOf(production),
      sandbox: await environmentOf(sandbox),
    },
    close: () => platform.close(),
  };
}
