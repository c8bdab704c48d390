import { hostNameIn, localAccess } from '../../server/http-server/index.ts';
import { frontendPath } from './controls.ts';
import { exampleFrontend } from './example-frontend.ts';
import { type Listener, type MockOptions, openListener, type RunningMock } from './listener.ts';
import { readyText, savedText } from './messages.ts';
import { readContract } from './read-contract.ts';
import { endOnSignals } from './signals.ts';

const root = new URL('../../', import.meta.url);

/**
 * Runs a mock until a signal ends it.
 *
 * @throws an error of one line if it cannot start, after closing everything
 */
export async function runMock(options: MockOptions): Promise<void> {
  const access = localAccess({
    ...options,
    allowHost: [...options.allowHost, ...publicHost(options)],
    onRefused: (reason) => console.error(reason),
  });
  const listener = await openListener(options, access, !options.quiet);
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
  endOnSignals(opening, close);
  const mock = await opening.catch(async (error) => {
    await close();
    throw error;
  });
  listener.serve(mock.listener);
  console.log(options.json ? JSON.stringify(mock.description()) : readyText(mock.description()));
  // Loading the linter takes as long as the start of the mock, which does not need it.
  const { watchContract } = await import('./watch-contract.ts');
  const watching = await watchContract(root, async (saved, milliseconds) => {
    const findings = 'findings' in saved ? saved.findings : await problemsOf(mock.replace(saved.contract));
    console.error(savedText(findings, milliseconds));
  });
  closing.push(() => watching.close());
}

async function openMock(options: MockOptions, { baseUrl }: Listener): Promise<RunningMock> {
  const contract = await readContract(root);
  if (options.stateful) {
    // Loading the dependencies of the other mode would take a second.
    const [{ runStateful }, { freshPortal }] = await Promise.all([
      import('./stateful/run.ts'),
      import('../prepare/built-portal.ts'),
    ]);
    return runStateful({
      ...{ contract, baseUrl, ...options, portal: freshPortal, page: exampleFrontend },
      onProgress: (line) => console.error(`${line} …`),
      warn: (line) => console.error(line),
    });
  }
  const { exampleMock } = await import('./examples/server.ts');
  const description = () => ({
    ...{ mode: 'examples' as const, baseUrl },
    frontend: `${baseUrl}${frontendPath}`,
  });
  return { ...(await exampleMock(contract, exampleFrontend)), description, close: async () => {} };
}

/** The host of the configured URL of the stateful mock. */
function publicHost({ stateful }: MockOptions): string[] {
  const { PUBLIC_URL: url = '' } = process.env;
  const name = stateful && URL.canParse(url) ? hostNameIn(new URL(url).hostname) : undefined;
  return name === undefined ? [] : [name];
}

/** Why a contract without findings cannot be served, for instance an operation without a handler. */
async function problemsOf(replacing: Promise<void>): Promise<string[]> {
  return replacing.then(
    () => [],
    (error: Error) => [error.message],
  );
}
