import { flushCompileCache } from 'node:module';
import type { Config } from './config.ts';
import { loadContract } from './contract/index.ts';
import type { Dependencies } from './dependencies.ts';
import { type DemoOutcome, prepareDemo, registerDemoWebhook } from './manifest/demo.ts';
import { openLogger } from './observability/logger.ts';
import { builtPortal } from './pages/built-portal.ts';
import { type BaseUrls, type PlatformWorker, type Served, servePlatform, workPlatform } from './server.ts';
import type { Role } from './store/connections.ts';

/**
 * Runs the platform, or one part of it, until SIGTERM or SIGINT; a second signal ends the process at once.
 *
 * @throws an operator error, see `isOperatorError`
 */
export async function startPlatform(config: Config, role: Role): Promise<void> {
  const server = role === 'work' ? await work(config) : await serve(config, role);
  // Now, because a process that is killed could not do it at its end.
  flushCompileCache();
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
  await server.close(config.shutdownGraceSeconds * 1000);
}

async function work(config: Config): Promise<PlatformWorker & { close(grace: number): Promise<void> }> {
  const worker = await workPlatform({ config, logger: openLogger(config.logLevel), progress });
  console.log('\n  The Workflow and Records Platform is working.\n');
  return worker;
}

async function serve(config: Config, role: Exclude<Role, 'work'>) {
  let demo: DemoOutcome = { kind: 'absent' };
  const prepare = async ({ environments, serverKey }: Dependencies, served: Served) => {
    const { dataDirectory } = config;
    // An external database gets no demo data.
    if (!config.databaseUrl) demo = await prepareDemo({ environments, serverKey, ...served, dataDirectory });
    if (!config.demoWebhookUrl) return;
    const production = environments.find(({ name }) => name === 'production');
    const outcome = production && (await registerDemoWebhook(production.database, config.demoWebhookUrl));
    if (outcome === 'no_demo')
      console.error('DEMO_WEBHOOK_URL is of no effect: there is no demo organization.');
  };
  const server = await servePlatform({
    config,
    role,
    logger: openLogger(config.logLevel),
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
    progress,
    openPortal: builtPortal,
    prepare,
  });
  const { file } = demo as { file?: { production: { organizationToken: string } } };
  console.log(welcome(server.baseUrls, file?.production.organizationToken));
  builtPortal().catch(({ message }) => console.error(message));
  return server;
}

function progress(line: string): void {
  console.error(line);
}

/** The URLs and the first request, printed when the platform is ready. */
function welcome(baseUrls: BaseUrls, token: string | undefined): string {
  const rows = [
    ['API', baseUrls.production],
    ['Sandbox', baseUrls.sandbox],
    ['Portal', `${baseUrls.production}/docs`],
    ...(token ? [['Token', token]] : []),
  ];
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(9)}${value}`);
  const call = `  curl -H 'Authorization: ${token}' '${baseUrls.production}/organizations/users?size=2'`;
  return [
    '',
    '  The Workflow and Records Platform is ready.',
    '',
    ...table,
    ...(token ? ['', call] : []),
    '',
  ].join('\n');
}
