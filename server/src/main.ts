import { flushCompileCache } from 'node:module';
import { BlobBindingError } from './blobs/binding.ts';
import { ConfigError, readConfig } from './config.ts';
import { loadContract } from './contract/index.ts';
import type { Dependencies } from './dependencies.ts';
import { ListenError } from './listen.ts';
import { type DemoOutcome, prepareDemo, registerDemoWebhook } from './manifest/demo.ts';
import { openLogger } from './observability/logger.ts';
import { builtPortal } from './pages/built-portal.ts';
import { PostgresStartError } from './postgres/start-error.ts';
import { type BaseUrls, type Served, servePlatform } from './server.ts';
import { MigrationError } from './store/migrate.ts';

/** Errors that the operator can fix: one line each. Any other error is a bug and is printed with its stack. */
const explained = [BlobBindingError, ConfigError, ListenError, PostgresStartError, MigrationError];
/** How long responses announce `Connection: close` before the platform closes the connections. */
const announcementMilliseconds = 500;

try {
  const config = readConfig(process.env);
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
    logger: openLogger(config.logLevel),
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
    progress: (line) => console.error(line),
    openPortal: builtPortal,
    prepare,
  });
  const { file } = demo as { file?: { production: { organizationToken: string } } };
  // Now, because a process that is killed could not do it at its end.
  flushCompileCache();
  console.log(welcome(server.baseUrls, file?.production.organizationToken));
  builtPortal().catch(({ message }) => console.error(message));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1));
      void server.close(announcementMilliseconds).then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
} catch (error) {
  const known = explained.some((kind) => error instanceof kind);
  console.error(known ? (error as Error).message : error);
  process.exit(1);
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
