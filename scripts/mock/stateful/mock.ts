import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { prepareContract } from '../../../server/contract/index.ts';
import type { PostgresServer } from '../../../server/embedded-postgres/index.ts';
import type { Config } from '../../../server/src/config.ts';
import type { OpeningOptions } from '../../../server/src/dependencies.ts';
import type { DemoFixtures } from '../../../server/src/manifest/demo-fixtures.ts';
import { PortalNotBuiltError, type PortalSite } from '../../../server/src/pages/portal-site.ts';
import { registerEndpoint } from '../../../server/src/store/webhook-endpoints.ts';
import type { Contract } from '../../contract/source.ts';
import { controlPath, frontendPath, type Page } from '../controls.ts';
import { createFaults, type Faults } from '../faults.ts';
import { movableClock } from './clock.ts';
import { mockControls } from './controls.ts';
import { impersonating } from './credentials.ts';
import { type MockDatabase, openMockDatabase } from './database.ts';
import { statefulFront } from './front.ts';
import { apiKeyOf, mockUsers } from './mock-users.ts';
import { type CompiledContract, compileContract, type MockPlatform, openMockPlatform } from './platform.ts';

export interface StatefulMock {
  listener: RequestListener;
  faults: Faults;
  /** URLs, tokens and ids. */
  description(): Description;
  /** Serves another contract from now on. @throws if the handlers do not match it; the current one stays */
  replace(contract: Contract): Promise<void>;
  close(): Promise<void>;
}

export interface Description {
  mode: 'stateful';
  baseUrl: string;
  /** Of the contract. */
  version: string;
  contract: string;
  /** Undefined if the mock does not serve it. */
  portal?: string;
  frontend?: string;
  controls: string;
  tokens: Record<keyof typeof mockUsers, string>;
  apiKey: { key: string; secret: string };
  ids: DemoFixtures['ids'];
}

export interface StatefulOptions {
  contract: Contract;
  /** Used by this mock only. */
  directory: string;
  /** The server of this mock, which may still be starting. */
  postgres: Promise<PostgresServer>;
  config: Config;
  logger: OpeningOptions['logger'];
  baseUrl: string;
  /** Receives all events from the start. */
  webhookUrl?: string | undefined;
  /** How many users, records and executions there are besides the demo's. Default: 0. */
  seed?: number;
  /** Default: no portal. */
  portal?: () => Promise<PortalSite>;
  /** Responds to requests that are not of the contract. Default: to none. */
  page?: Page;
  progress(line: string): void;
  /** Called with what the developer should know. */
  warn(line: string): void;
}

/** What serves requests between two resets. */
type Run = { platform: MockPlatform; app: RequestListener };

/**
 * Serves the contract by the platform's own handlers over a database that lasts as long as the mock.
 *
 * @throws an error of one line, after closing everything
 */
export async function openStatefulMock(options: StatefulOptions): Promise<StatefulMock> {
  const {
    directory,
    postgres,
    config,
    logger,
    baseUrl,
    webhookUrl,
    seed = 0,
    portal,
    page,
    progress,
    warn,
  } = options;
  const [database, compiled] = await openBoth(
    openMockDatabase({ postgres, contract: options.contract, seed, progress }),
    // The generated contract is valid: its checks are compiled at their first use.
    prepareContract(options.contract).then((checks) => ({ document: options.contract, compiled: checks })),
  );
  let contract = compiled;
  const { organizationId, ids } = database.fixtures;
  const clock = movableClock();
  const targets = Array.isArray(config.allowPrivateTargets) ? config.allowPrivateTargets : [];
  let runs = 0;
  const open = async (): Promise<Run> => {
    runs += 1;
    const dataDirectory = join(directory, `run-${runs}`);
    const { document } = contract;
    const platform = await openMockPlatform({
      ...{ database, dataDirectory, config, contract: document, clock, logger, baseUrl, warn },
      portal: portal ?? (() => Promise.reject(new PortalNotBuiltError())),
    });
    if (webhookUrl) {
      const endpoint = { id: crypto.randomUUID(), organizationId, url: webhookUrl, now: clock.now() };
      await registerEndpoint(platform.environment.database, endpoint);
    }
    return { platform, app: platform.app(contract) };
  };

  progress('starting the platform');
  let current = open();
  let { platform } = await current.catch(async (error) => {
    await database.stop();
    throw error;
  });
  const reset = async () => {
    // From here on requests wait, and nothing of the last run may happen later.
    faults.clear();
    current = current
      .catch(() => {})
      .then(async () => {
        await platform.close();
        clock.restart();
        return open();
      });
    ({ platform } = await current);
  };
  const description = (): Description => ({
    mode: 'stateful',
    baseUrl,
    version: contract.document.info['version'] as string,
    contract: `${baseUrl}/openapi.json`,
    ...(portal && { portal: `${baseUrl}/docs` }),
    ...(page && { frontend: `${baseUrl}${frontendPath}` }),
    controls: `${baseUrl}${controlPath}`,
    tokens: Object.fromEntries(Object.entries(mockUsers).map(([id, { token }]) => [id, token])) as never,
    apiKey: apiKeyOf(contract.document),
    ids,
  });
  const faults = createFaults(
    () => contract.compiled,
    () => contract.document,
  );
  const controls = mockControls({
    ...{ clock, faults, organizationId, description, reset },
    allowsTarget: (origin) => targets.includes(origin),
    platform: () => platform,
  });
  const front = (served: CompiledContract) =>
    statefulFront({
      contract: served,
      controls,
      faults,
      page,
      app: async () => (await current).app,
      impersonate: (authorization) => impersonating(platform.serverKey, clock.now)(authorization),
    });
  let listener = front(contract);

  return {
    listener: (request, response) => listener(request, response),
    faults,
    description,
    async replace(next) {
      const nextContract = await compileContract(next);
      // A reset that has begun opens another platform.
      const { platform: present } = await current;
      const app = present.app(nextContract);
      listener = front(nextContract);
      contract = nextContract;
      current = Promise.resolve({ platform: present, app });
    },
    async close() {
      await current.catch(() => {});
      await platform.close();
      await database.stop();
    },
  };
}

/** If the contract does not compile, the database is closed. */
async function openBoth(
  opening: Promise<MockDatabase>,
  compiling: Promise<CompiledContract>,
): Promise<[MockDatabase, CompiledContract]> {
  const [opened, compiled] = await Promise.allSettled([opening, compiling]);
  if (opened.status === 'fulfilled' && compiled.status === 'fulfilled') return [opened.value, compiled.value];
  if (opened.status === 'fulfilled') await opened.value.stop();
  throw [opened, compiled].find((one) => one.status === 'rejected')?.reason;
}
