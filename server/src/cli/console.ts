import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { storageQuota } from '../config.ts';
import { createConsole, type ConsoleOptions as ServedOptions } from '../console/server.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { CommandError, describeError } from './command-error.ts';
import { inEnvironment, operatorOrigin } from './connect.ts';
import { withJobs } from './execution-changes.ts';
import { openInBrowser } from './open-in-browser.ts';
import { action, type EnvironmentOptions, environmentOption, refuseJson } from './options.ts';
import { printableLines } from './print.ts';

type ConsoleOptions = EnvironmentOptions & { port: number; open?: true; actions?: true };

const notes = `
Anyone on this machine who has the link can open it, once: the first browser is signed in, and the link no longer works.
Without --actions nothing can be changed. Ctrl-C ends it.

Examples:
  $ wrp console --open
  $ wrp console --actions --environment sandbox --port 8099`;

/** `wrp console`. */
export function addConsoleCommand(program: Command): void {
  const command = program
    .command('console')
    .summary('serve pages for operators on this machine')
    .description(
      'Serves pages for operators on a loopback address: executions, schedules, webhooks, links, the queue, usage and the audit log.',
    )
    .option('--port <port>', 'the port; 0: any free one', parsePort, 0)
    .option('--open', 'open it in the browser')
    .option('--actions', 'allow changes, such as cancelling an execution')
    .addOption(environmentOption('the environment').default('production'))
    .addHelpText('after', notes)
    .action(action(runConsole));
  refuseJson(command);
}

function parsePort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}

async function runConsole(options: ConsoleOptions): Promise<void> {
  const { environment, port, open, actions = false } = options;
  const serve = async (database: Database, jobs?: Jobs) => {
    const served = await serveConsole({
      ...{ database, environment, port, quota: storageQuota(process.env) },
      actions: jobs && { jobs, originOf: (command, at) => operatorOrigin({ command }, at) },
    });
    console.error(
      `The console of ${environment}${actions ? ', with actions,' : ''} is at this link, which works once:`,
    );
    console.log(served.link);
    if (open) await openInBrowser(served.link);
    await served.closed;
  };
  await (actions ? withJobs(options, serve) : inEnvironment(options, serve));
}

interface Served {
  /** Opens the console, once. */
  link: string;
  /** Settles when it is closed. */
  closed: Promise<void>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/**
 * Serves the console on a free loopback port, or on the given one, until it is closed or the process is interrupted.
 *
 * @param only the one execution whose page is served
 */
export async function serveConsole({
  port,
  ...options
}: Omit<ServedOptions, 'report'> & { port: number }): Promise<Served> {
  const report = (error: unknown) => console.error(printableLines(describeError(error)));
  const { server, linkPath } = createConsole({ ...options, report });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is in use. Set --port to a free one.`);
    throw error;
  });
  const closed = once(server, 'close').then(() => {});
  let isClosed = false;
  const close = async () => {
    isClosed = true;
    for (const name of signals) process.off(name, close);
    server.close();
    server.closeAllConnections();
    await closed;
  };
  for (const name of signals) process.once(name, close);
  const { port: opened } = server.address() as AddressInfo;
  return { link: `http://127.0.0.1:${opened}${linkPath}`, closed, isClosed: () => isClosed, close };
}

const signals = ['SIGINT', 'SIGTERM'] as const;
