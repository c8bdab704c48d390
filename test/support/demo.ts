import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freshPortal } from '../../scripts/prepare/built-portal.ts';
import { type Config, type EnvironmentName, readConfig } from '../../server/src/config.ts';
import { type DemoOutcome, prepareDemo } from '../../server/src/manifest/demo.ts';
import type { DemoEnvironment, DemoFile } from '../../server/src/manifest/demo-file.ts';
import { openLogger } from '../../server/src/observability/logger.ts';
import { type PlatformServer, servePlatform } from '../../server/src/server.ts';
import type { Database } from '../../server/src/store/database.ts';
import { bundle, theContract } from './contract.ts';
import { observeResponses } from './declared-responses.ts';
import { cloneDatabase } from './postgres.ts';
import { atEnd, temporaryRoot } from './temporary.ts';

/** What calling one environment needs. */
export interface DemoTarget {
  baseUrl: string;
  demo: DemoEnvironment;
  database: Database;
}

/** A platform with the data of a new installation. */
export interface DemoPlatform {
  baseUrl: string;
  sandboxUrl: string;
  /** Holds `demo.json`, as after `npm start`. */
  dataDirectory: string;
  /** The production part of `demo.json`. */
  demo: DemoEnvironment;
  /** The tables of production. */
  database: Database;
  /** Both environments. */
  environments: Record<EnvironmentName, DemoTarget>;
  /** The environment of every sample and snippet. */
  variables: SnippetVariables;
}

/** The variables that samples, guides and READMEs use. */
export type SnippetVariables = Record<(typeof variableNames)[number], string>;

const variableNames = [
  ...(['WRP_BASE_URL', 'WRP_TOKEN', 'WRP_API_KEY', 'WRP_API_SECRET'] as const),
  ...(['WORKSPACE_ID', 'TABLE_ID', 'RECORD_ID', 'CASE_ID', 'USER_ID', 'DEFINITION_ID'] as const),
  ...(['RESOURCE_ID', 'ATTACHMENT_ID', 'PARAMETERS_ID', 'WORKFLOW_ID', 'RUNNING_WORKFLOW_ID'] as const),
  'KEY_ID' as const,
];

/** The example of a path parameter: an object that the demo has. */
function exampleOf(component: string): string {
  return String((bundle.components['parameters']?.[component] as { example?: string } | undefined)?.example);
}

/**
 * The platform as `npm start` leaves it, on free ports, by the time of day: the demo organization in both
 * environments, and webhooks that may go to this machine. It ends with the test file.
 */
export async function demoPlatform(settings: Partial<Config> = {}): Promise<DemoPlatform> {
  // Compiling it blocks the process, and connections that are being opened would time out.
  const contract = await theContract();
  const cloned = await cloneDatabase();
  const dataDirectory = await mkdtemp(join(temporaryRoot(), 'wrp-demo-'));
  const budget = { requests: 100_000, uploads: 100_000, signIns: 100_000 };
  const config: Config = {
    ...readConfig({ DATA_DIR: dataDirectory, SERVER_KEY: 'test'.repeat(11), WEBHOOK_ALLOW_PRIVATE: 'true' }),
    ports: { production: 0, sandbox: 0 },
    budgets: budget,
    databaseUrl: cloned.connectionString,
    // The snippets of all pages run at the same time, on a machine that may be busy.
    databaseConnections: 52,
    ...settings,
  };
  let demo: DemoOutcome | undefined;
  const server = await servePlatform({
    config,
    loadContract: theContract,
    logger: openLogger('silent'),
    progress: () => {},
    openPortal: freshPortal,
    prepare: async ({ environments, serverKey }, served) => {
      demo = await prepareDemo({ environments, serverKey, ...served, dataDirectory });
    },
  });
  observeResponses(Object.values(server.ports), contract);
  atEnd(async () => {
    await server.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });
  if (demo === undefined || demo.kind === 'absent') throw new Error('The demo was not made.');
  return described(server, demo.file, dataDirectory);
}

function described(server: PlatformServer, file: DemoFile, dataDirectory: string): DemoPlatform {
  const { production: baseUrl, sandbox: sandboxUrl } = server.baseUrls;
  const targets = server.dependencies.environments.map(({ name, database }): [string, DemoTarget] => [
    name,
    { baseUrl: server.baseUrls[name], demo: file[name], database },
  ]);
  const environments = Object.fromEntries(targets) as DemoPlatform['environments'];
  const { demo, database } = environments.production;
  const variables = {
    WRP_BASE_URL: baseUrl,
    WRP_TOKEN: demo.organizationToken,
    WRP_API_KEY: demo.apiKey,
    WRP_API_SECRET: demo.apiSecret,
    WORKSPACE_ID: demo.workspaceId,
    TABLE_ID: demo.tableId,
    RECORD_ID: demo.recordId,
    CASE_ID: demo.caseId,
    USER_ID: demo.userId,
    DEFINITION_ID: demo.workflowDefinitionId,
    RESOURCE_ID: exampleOf('ResourceId'),
    ATTACHMENT_ID: exampleOf('AttachmentId'),
    PARAMETERS_ID: exampleOf('ParametersId'),
    KEY_ID: exampleOf('KeyId'),
    WORKFLOW_ID: exampleOf('WorkflowId'),
    RUNNING_WORKFLOW_ID: exampleOf('RunningWorkflowId'),
  };
  return { baseUrl, sandboxUrl, dataDirectory, demo, database, environments, variables };
}
