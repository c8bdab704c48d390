import type { RequestListener } from 'node:http';
import type { Contract } from '../contract/source.ts';
import type { MockOptions } from './command-line.ts';
import { type Listener, openListener } from './listener.ts';
import { readyText, savedText } from './messages.ts';
import { readContract, watchContract } from './watch-contract.ts';

const root = new URL('../../', import.meta.url);

/** A mock of either kind. */
export interface RunningMock {
  listener: RequestListener;
  /** What to print of it, and to give to scripts. */
  description(): { mode: 'examples' | 'stateful'; baseUrl: string };
  /** @throws where the contract cannot be served; the last one stays */
  replace(contract: Contract): Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs a mock until a signal ends it.
 *
 * @throws an error with one line where it cannot start; nothing is left behind
 */
export async function runMock(options: MockOptions): Promise<void> {
  const listener = await openListener(options);
  const opening = openMock(options, listener);
  const closing: (() => void)[] = [];
  const close = async () => {
    for (const end of closing) end();
    await listener.close();
    await opening.then(
      (mock) => mock.close(),
      () => {},
    );
  };
  endOnSignals(close);
  const mock = await opening.catch(async (error) => {
    await close();
    throw error;
  });
  listener.serve(options.quiet ? mock.listener : logged(mock.listener));
  console.log(options.json ? JSON.stringify(mock.description()) : readyText(mock.description()));
  const watching = await watchContract(root, async (saved, milliseconds) => {
    const findings = 'findings' in saved ? saved.findings : await problemsOf(mock.replace(saved.contract));
    console.error(savedText(findings, milliseconds));
  });
  closing.push(() => watching.close());
}

async function openMock(options: MockOptions, { baseUrl }: Listener): Promise<RunningMock> {
  const contract = await readContract(root);
  if (options.stateful) {
    // Neither kind loads what the other one needs: that is a second.
    const { runStateful } = await import('./stateful/run.ts');
    return runStateful({ contract, baseUrl, webhookUrl: options.webhookUrl });
  }
  const { exampleMock } = await import('./server.ts');
  const description = () => ({ mode: 'examples' as const, baseUrl });
  return { ...(await exampleMock(contract)), description, close: async () => {} };
}

/** What stands in the way of a contract without findings, such as an operation without a handler. */
async function problemsOf(replacing: Promise<void>): Promise<string[]> {
  return replacing.then(
    () => [],
    (error: Error) => [error.message],
  );
}

/** The first signal ends the mock in order, the second at once. */
function endOnSignals(close: () => Promise<void>): void {
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopped) process.exit(1);
      stopped = true;
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

function logged(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url } = request;
    response.on('finish', () => console.log(`${method} ${url} ${response.statusCode}`));
    listener(request, response);
  };
}
