import { flushCompileCache } from 'node:module';
import { loadContract } from '../contract/index.ts';
import type { Dependencies } from './dependencies.ts';
import { type DemoOutcome, prepareDemo, registerDemoWebhook } from './manifest/demo.ts';
import { type DemoFile, demoFilePath } from './manifest/demo-file.ts';
import { builtPortal } from './pages/portal-site.ts';
import {
  type BaseUrls,
  type PlatformOptions,
  type PlatformWorker,
  type Served,
  servePlatform,
  workPlatform,
} from './server.ts';
import type { Role } from './store/connections.ts';

/** What a process opens before it loads the platform. */
type Opened = Pick<PlatformOptions, 'config' | 'logger' | 'progress' | 'database'>;

/**
 * Runs the platform, or one part of it, until SIGTERM or SIGINT; a second signal ends the process at once.
 *
 * @throws an operator error, see `isOperatorError`
 */
export async function startPlatform(opened: Opened, role: Role): Promise<void> {
  const { config } = opened;
  const server = role === 'work' ? await work(opened) : await serve(opened, role);
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

async function work(opened: Opened): Promise<PlatformWorker & { close(grace: number): Promise<void> }> {
  const worker = await workPlatform(opened);
  console.log('\n  The Workflow and Records Platform is working.\n');
  return worker;
}

async function serve(opened: Opened, role: Exclude<Role, 'work'>) {
  const { config } = opened;
  let demo: DemoOutcome = { kind: 'absent' };
  const prepare = async ({ environments, serverKey }: Dependencies, served: Served) => {
    const { dataDirectory } = config;
    // An external database gets no demo data.
    if (!config.databaseUrl) demo = await prepareDemo({ environments, serverKey, ...served, dataDirectory });
    const production = environments.find(({ name }) => name === 'production');
    const outcome =
      config.demoWebhookUrl &&
      production &&
      (await registerDemoWebhook(production.database, config.demoWebhookUrl));
    if (outcome === 'no_demo')
      console.error('DEMO_WEBHOOK_URL is of no effect: there is no demo organization.');
    return demo.kind === 'absent' ? undefined : demoFilePath(dataDirectory);
  };
  const server = await servePlatform({
    ...opened,
    role,
    loadContract: () => loadContract(new URL('../../generated/openapi.json', import.meta.url)),
    openPortal: builtPortal,
    prepare,
  });
  // The assignment in `prepare` is unknown to the compiler.
  const { file } = demo as { file?: DemoFile };
  const shownDemo = file && {
    token: file.production.organizationToken,
    path: demoFilePath(config.dataDirectory),
  };
  console.log(welcome(server.baseUrls, shownDemo));
  builtPortal().catch(({ message }) => console.error(message));
  return server;
}

/**
 * The URLs and the first request, printed when the platform is ready.
 *
 * @param demo production's token, and the path of the file that has it
 */
export function welcome(baseUrls: BaseUrls, demo?: { token: string; path: string }): string {
  const { production, sandbox } = baseUrls;
  const rows = [
    ['API', production],
    ['Sandbox', sandbox],
    ['Portal', `${production}/docs`],
    ['Quick start', `${production}/docs/quick-start`],
    ...(demo ? [['Token', demo.token]] : []),
    ...(demo
      ? [['Demo file', `${demo.path} (ids and tokens; the sandbox's: sandbox.organizationToken)`]]
      : []),
  ];
  const table = rows.map(([name = '', value]) => `  ${name.padEnd(13)}${value}`);
  const call = `  curl -H 'Authorization: ${demo?.token}' '${production}/organizations/users?size=2'`;
  return [
    '',
    '  The Workflow and Records Platform is ready.',
    '',
    ...table,
    ...(demo ? ['', call] : []),
    '',
  ].join('\n');
}
