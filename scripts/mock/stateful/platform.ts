import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Express } from 'express';
import { openContract } from '../../../server/contract/index.ts';
import { environmentApp } from '../../../server/src/app.ts';
import type { Config } from '../../../server/src/config.ts';
import {
  type Dependencies,
  type EnvironmentDependencies,
  type OpeningOptions,
  openDependencies,
} from '../../../server/src/dependencies.ts';
import { createDemoKey, createDemoObjects } from '../../../server/src/manifest/demo-objects.ts';
import { operationCalls } from '../../../server/src/mcp/calls.ts';
import { documentationOf } from '../../../server/src/mcp/documentation.ts';
import { mcpEndpoint } from '../../../server/src/mcp/endpoint.ts';
import { contractDocuments } from '../../../server/src/pages/contract-documents.ts';
import { health } from '../../../server/src/pages/health.ts';
import { openedPortal, portal } from '../../../server/src/pages/portal.ts';
import type { PortalSite } from '../../../server/src/pages/portal-site.ts';
import type { ServerKey } from '../../../server/src/security/server-key.ts';
import type { Contract } from '../../contract/source.ts';
import type { MovableClock } from './clock.ts';
import type { MockDatabase } from './database.ts';
import { runningThreads } from './seed.ts';

/** A contract and its compiled checks of requests and responses, shared by all resets. */
export interface CompiledContract {
  document: Contract;
  compiled: Awaited<ReturnType<typeof openContract>>;
}

/** @throws if an operation does not compile; the message names it */
export async function compileContract(document: Contract): Promise<CompiledContract> {
  return { document, compiled: await openContract(document) };
}

/** The platform between two resets: the real handlers, jobs and pages over a database of their own. */
export interface MockPlatform {
  environment: EnvironmentDependencies;
  /** Holds this run's messages and files. */
  dataDirectory: string;
  serverKey: ServerKey;
  /** @throws if the handlers do not match the contract */
  app(contract: CompiledContract): Express;
  close(): Promise<void>;
}

export interface MockPlatformOptions {
  database: MockDatabase;
  /** Created if it is missing. */
  dataDirectory: string;
  config: Config;
  contract: Contract;
  clock: MovableClock;
  logger: OpeningOptions['logger'];
  baseUrl: string;
  /** The portal, opened at its first use. @throws PortalNotBuiltError if there is none */
  portal(): Promise<PortalSite>;
  /** Called with what the developer should know. */
  warn(line: string): void;
}

/** @throws an error of one line, after closing everything */
export async function openMockPlatform(options: MockPlatformOptions): Promise<MockPlatform> {
  const { dataDirectory, clock, logger, baseUrl, contract, warn } = options;
  await mkdir(dataDirectory, { recursive: true });
  const { connection, drop } = await options.database.copy();
  const config = { ...options.config, dataDirectory, databaseUrl: connection };
  let dependencies: Dependencies | undefined;
  const close = async () => {
    await dependencies?.close();
    await drop();
  };
  try {
    dependencies = await openDependencies({
      config,
      logger,
      progress: () => {},
      onCallRefused: ({ host }) => warn(refusedCall(host)),
      now: clock.now,
      // Receivers compare it with their own clocks, which are not moved.
      signingTime: () => new Date(),
      baseUrls: { production: baseUrl, sandbox: baseUrl },
      pollable: ['production'],
      only: ['production'],
    });
    const { serverKey, outbound } = dependencies;
    const [environment] = dependencies.environments;
    if (!environment) throw new Error('The platform has no production environment.');
    const now = clock.now();
    await createDemoKey(environment, { serverKey, contract, now });
    const { database, blobs, jobs } = environment;
    await database.transaction().execute(async (transaction) => {
      for (const threadId of await runningThreads(transaction))
        await jobs.enqueue(transaction, 'execution-step', { threadId, turn: 0 });
      await createDemoObjects({
        database: transaction,
        blobs,
        jobs,
        contract,
        fixtures: options.database.fixtures,
        now,
      });
    });
    return {
      environment,
      dataDirectory,
      serverKey,
      close,
      app({ document, compiled }) {
        const addresses = {
          environment: 'production' as const,
          baseUrls: { production: baseUrl, sandbox: baseUrl },
          pollable: ['production'],
        };
        const site = openedPortal(options.portal, addresses);
        const pages = {
          health: health(async () => []),
          documents: contractDocuments(document, addresses),
          portal: portal(site),
        };
        return environmentApp({
          environment,
          baseUrl,
          config,
          serverKey,
          logger,
          metrics: undefined,
          pages,
          agents: (shared) =>
            mcpEndpoint({
              ...shared,
              documentation: documentationOf(document, site.site, addresses),
              call: operationCalls(document, baseUrl, outbound),
            }),
          now: clock.now,
          contract: compiled,
        });
      },
    };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** @param host of the URL, a name or an address */
const refusedCall = (host: string) =>
  `The mock did not call ${host}, whose address is not public. Start it with --allow-target and the origin of the URL to allow that.`;

/** The platform writes messages here because it has no mail server. */
export const outboxOf = ({ dataDirectory }: MockPlatform) => join(dataDirectory, 'outbox');
