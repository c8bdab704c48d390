import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { executionPage } from '../console/execution/page.ts';
import { pageInFile } from '../console/layout.ts';
import { databaseTime } from '../store/clock.ts';
import type { Database } from '../store/database.ts';
import { statusOfExecution } from '../store/executions.ts';
import { notFound, parseId } from './command-error.ts';
import { inEnvironment } from './connect.ts';
import { serveConsole } from './console.ts';
import { openInBrowser } from './open-in-browser.ts';
import { type EnvironmentOptions, fromWorkingDirectory } from './options.ts';

export type PageOptions = EnvironmentOptions & { open?: true; output?: string };

/**
 * `wrp execution show --open` and `--output`: the page of an execution in a file. The page of a running execution is
 * served until it ends, if it is to be opened.
 */
export async function showPage(text: string, options: PageOptions): Promise<void> {
  const id = parseId('execution', text, options);
  const { environment, open, output } = options;
  await inEnvironment(options, async (database) => {
    const page = await executionPage(database, id, { now: await databaseTime(database) });
    if (!page) throw notFound('execution', text, options);
    if (open && output === undefined && page.isLive) return serveUntilEnd(database, id, options);
    const file =
      output === undefined
        ? join(await mkdtemp(join(tmpdir(), 'wrp-execution-')), `${id}.html`)
        : fromWorkingDirectory(output);
    // The page contains inputs and outputs.
    await writeFile(file, pageInFile({ ...page, environment }), { mode: 0o600 });
    console.error(`The page is in ${file}.`);
    if (open) await openInBrowser(file);
  });
}

/** How long the page is still served after the end, so that an open one shows it. Its polls are ten seconds apart. */
const graceMilliseconds = 15_000;
const pollMilliseconds = 1_000;

async function serveUntilEnd(
  database: Database,
  id: string,
  { environment }: EnvironmentOptions,
): Promise<void> {
  const served = await serveConsole({ database, environment, only: id, port: 0 });
  try {
    console.error(
      `The page of the running execution is at ${served.link}\nIt is served until the execution ends.`,
    );
    await openInBrowser(served.link);
    while ((await statusOfExecution(database, id)) === 'RUNNING' && !served.isClosed())
      await delay(pollMilliseconds);
    if (served.isClosed()) return;
    console.error(
      `The execution has ended. The page is served for ${graceMilliseconds / 1_000} more seconds; Ctrl-C ends it.`,
    );
    // Without a reference, the delay does not keep the process alive after Ctrl-C.
    await Promise.race([delay(graceMilliseconds, undefined, { ref: false }), served.closed]);
  } finally {
    await served.close();
  }
}
